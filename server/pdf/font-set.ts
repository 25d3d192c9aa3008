import { TypstFontResolverBuilder } from '@myriaddreamin/typst-ts-web-compiler'
import { fontFamilies, readFont, type FontFamily, type FontStyle } from './fonts.ts'

/** A font that Typst loads when it needs it. */
export interface FontSource {
  readonly info: object
  readonly read: () => Uint8Array
}

/** A font family of an earlier font set, which another one need not read again. */
export interface KnownFamily {
  readonly name: string
  readonly info: FontInfo
  /** The styles that were read. */
  readonly styles: readonly FontStyle[]
}

interface LoadedFamily {
  readonly info: FontInfo
  readonly covers: (character: string) => boolean
  readonly styles: Set<FontStyle>
  readonly sources: readonly FontSource[]
}

/** A font family of a document. */
export interface ChosenFamily extends Pick<FontFamily, 'name' | 'language'> {
  readonly covers: (character: string) => boolean
}

/** The fonts of a document. */
export interface FontChoice {
  /** In order of preference. */
  readonly families: readonly ChosenFamily[]
  /** Characters that none of the families has. */
  readonly missing: ReadonlySet<string>
  /** Packages that are not installed and may have missing characters. */
  readonly absentPackages: readonly string[]
}

/** Selects the fonts of documents. Reads a font only when a text needs it. */
export interface FontSet {
  /** @param languages of the texts; their fonts come before others with the same characters */
  choose(characters: ReadonlySet<string>, languages: ReadonlySet<string>): FontChoice
  /** All fonts that were considered up to now. */
  sources(): readonly FontSource[]
  /** The families of `sources`. */
  known(): readonly KnownFamily[]
}

/** Characters without a glyph of their own: joiners, variation selectors, tags, spaces. */
const needsNoGlyph = /[\p{Default_Ignorable_Code_Point}\p{White_Space}]/u

export function createFontSet(read: typeof readFont = readFont, known: readonly KnownFamily[] = []): FontSet {
  const loaded = new Map<FontFamily, LoadedFamily | null>()
  for (const family of fontFamilies) {
    const info = known.find(({ name }) => name === family.name)?.info
    if (info !== undefined) loaded.set(family, describedFamily(family, info, read))
  }

  function familyOf(family: FontFamily): LoadedFamily | null {
    let entry = loaded.get(family)
    if (entry === undefined) {
      const regular = read(family, 'regular')
      entry = regular === null ? null : describedFamily(family, fontInfo(regular), read)
      loaded.set(family, entry)
    }
    return entry
  }

  return {
    choose(characters, languages) {
      const missing = new Set([...characters].filter((character) => !needsNoGlyph.test(character)))
      const chosen = new Map<FontFamily, ChosenFamily>()
      const absentPackages: string[] = []
      const isForeign = ({ language }: FontFamily): number => Number(language !== undefined && !languages.has(language))
      for (const family of fontFamilies.toSorted((a, b) => isForeign(a) - isForeign(b))) {
        const candidates = [...missing].filter((character) => family.characters.test(character))
        if (candidates.length === 0) continue
        const font = familyOf(family)
        if (font === null) {
          absentPackages.push(family.package)
          continue
        }
        const covered = candidates.filter(font.covers)
        if (covered.length > 0) chosen.set(family, { ...family, covers: font.covers })
        for (const character of covered) missing.delete(character)
      }
      return {
        families: fontFamilies.flatMap((family) => chosen.get(family) ?? []),
        missing,
        absentPackages: missing.size > 0 ? absentPackages : [],
      }
    },
    sources: () => [...loaded.values()].flatMap((family) => family?.sources ?? []),
    known: () =>
      [...loaded].flatMap(([{ name }, family]) => (family === null ? [] : [{ name, info: family.info, styles: [...family.styles] }])),
  }
}

/** @param info of the regular font. The other fonts have the same characters. */
function describedFamily(family: FontFamily, info: FontInfo, read: typeof readFont): LoadedFamily {
  const variant = (changes: object) => ({ ...info, info: info.info.map((each) => ({ ...each, variant: { ...each.variant, ...changes } })) })
  const covered = coverage(info.info[0]?.coverage ?? [])
  const styles = new Set<FontStyle>()
  const source = (style: FontStyle, described: object): FontSource => ({
    info: described,
    read() {
      const bytes = read(family, style)
      if (bytes === null) throw new Error(`${family.package} is no longer installed.`)
      styles.add(style)
      return bytes
    },
  })
  return {
    info,
    covers: (character) => covered(character.codePointAt(0) ?? 0),
    styles,
    sources: [
      source('regular', info),
      source('bold', variant({ weight: 700 })),
      ...(family.italic === undefined ? [] : [source('italic', variant({ style: 'italic' }))]),
      ...(family.boldItalic === undefined ? [] : [source('boldItalic', variant({ style: 'italic', weight: 700 }))]),
    ],
  }
}

/** Family, variant and coverage as Typst describes them. */
export interface FontInfo {
  readonly info: readonly { readonly variant: { readonly weight: number }; readonly coverage: readonly number[] }[]
}

function fontInfo(bytes: Uint8Array): FontInfo {
  const resolver = new TypstFontResolverBuilder()
  try {
    return resolver.get_font_info(bytes) as FontInfo
  } finally {
    resolver.free()
  }
}

/** Decodes run lengths of code points: not covered, covered, not covered, and so on. */
function coverage(runs: readonly number[]): (codePoint: number) => boolean {
  const ends: number[] = []
  let end = 0
  for (const run of runs) ends.push((end += run))
  return (codePoint) => {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ends[middle] ?? 0) <= codePoint) low = middle + 1
      else high = middle
    }
    return low < ends.length && low % 2 === 1
  }
}

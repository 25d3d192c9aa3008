import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** A font family of an npm package. */
export interface FontFamily {
  /** Name in the font files, by which the layout selects it. */
  readonly name: string
  readonly package: string
  readonly regular: string
  readonly bold: string
  /** Without them, emphasized text is upright. */
  readonly italic?: string
  readonly boldItalic?: string
  /** A letter of the family. */
  readonly sample: string
  /** Characters for which the family is a candidate. */
  readonly characters: RegExp
  /** Language of text for which the family comes before others with the same characters. */
  readonly language?: string
}

const cjkSymbols = String.raw`\p{S}\p{P}\p{N}`

const expo = (family: string, weight: string): string => `${weight}/${family}_${weight}.ttf`

/** In order of preference. The first one sets all text that it has. */
export const fontFamilies: readonly FontFamily[] = [
  {
    name: 'Noto Sans',
    package: '@embedpdf/fonts-latin',
    regular: 'fonts/NotoSans-Regular.ttf',
    bold: 'fonts/NotoSans-Bold.ttf',
    italic: 'fonts/NotoSans-Italic.ttf',
    boldItalic: 'fonts/NotoSans-BoldItalic.ttf',
    sample: 'A',
    characters: /./su,
  },
  {
    name: 'Noto Naskh Arabic',
    package: '@embedpdf/fonts-arabic',
    regular: 'fonts/NotoNaskhArabic-Regular.ttf',
    bold: 'fonts/NotoNaskhArabic-Bold.ttf',
    sample: 'ا',
    characters: /\p{Script_Extensions=Arabic}/u,
  },
  {
    name: 'Noto Sans Hebrew',
    package: '@embedpdf/fonts-hebrew',
    regular: 'fonts/NotoSansHebrew-Regular.ttf',
    bold: 'fonts/NotoSansHebrew-Bold.ttf',
    sample: 'א',
    characters: /\p{Script_Extensions=Hebrew}/u,
  },
  {
    name: 'Noto Sans Thai',
    package: '@expo-google-fonts/noto-sans-thai',
    regular: expo('NotoSansThai', '400Regular'),
    bold: expo('NotoSansThai', '700Bold'),
    sample: 'ก',
    characters: /\p{Script_Extensions=Thai}/u,
  },
  {
    name: 'Noto Sans Devanagari',
    package: '@expo-google-fonts/noto-sans-devanagari',
    regular: expo('NotoSansDevanagari', '400Regular'),
    bold: expo('NotoSansDevanagari', '700Bold'),
    sample: 'क',
    characters: /\p{Script_Extensions=Devanagari}/u,
  },
  {
    name: 'Noto Emoji',
    package: '@expo-google-fonts/noto-emoji',
    regular: expo('NotoEmoji', '400Regular'),
    bold: expo('NotoEmoji', '700Bold'),
    sample: '🚲',
    characters: /\p{Emoji}|\p{Emoji_Component}/u,
  },
  {
    name: 'Noto Sans S Chinese',
    package: '@embedpdf/fonts-sc',
    regular: 'fonts/NotoSansHans-Regular.otf',
    bold: 'fonts/NotoSansHans-Bold.otf',
    sample: '们',
    characters: new RegExp(String.raw`[\p{Script_Extensions=Han}\p{Script_Extensions=Bopomofo}${cjkSymbols}]`, 'u'),
    language: 'zh',
  },
  {
    name: 'Noto Sans Japanese',
    package: '@embedpdf/fonts-jp',
    regular: 'fonts/NotoSansJP-Regular.otf',
    bold: 'fonts/NotoSansJP-Bold.otf',
    sample: 'あ',
    characters: new RegExp(
      String.raw`[\p{Script_Extensions=Han}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}${cjkSymbols}]`,
      'u',
    ),
    language: 'ja',
  },
  {
    name: 'Noto Sans Korean',
    package: '@embedpdf/fonts-kr',
    regular: 'fonts/NotoSansKR-Regular.otf',
    bold: 'fonts/NotoSansKR-Bold.otf',
    sample: '가',
    characters: new RegExp(String.raw`[\p{Script_Extensions=Hangul}\p{Script_Extensions=Han}${cjkSymbols}]`, 'u'),
    language: 'ko',
  },
]

export type FontStyle = 'regular' | 'bold' | 'italic' | 'boldItalic'

/** Returns null if the package is not installed, or has no font of this style. */
export function readFont(family: FontFamily, style: FontStyle): Uint8Array | null {
  const file = family[style]
  const folder = packageFolder(family.package)
  return folder === null || file === undefined ? null : readFileSync(join(folder, file))
}

const require = createRequire(import.meta.url)

function packageFolder(name: string): string | null {
  // The packages export no font files, so the folder is searched.
  for (const path of require.resolve.paths(name) ?? []) {
    try {
      const manifest = join(path, name, 'package.json')
      readFileSync(manifest)
      return dirname(manifest)
    } catch {
      // Not in this node_modules.
    }
  }
  return null
}

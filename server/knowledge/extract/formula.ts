import { all, at, isElement, textOf, type XmlElement } from './xml.ts'

/**
 * Returns a formula (OMML, ECMA-376 part 1, 22.1) as linear text: `A = π r²`, `x = (-b ± √(b² - 4ac))/(2a)`, `∑_(i=1)^n i`.
 * Superscripts and subscripts of digits are Unicode characters, others follow `^` and `_`; the rows of a matrix are separated by
 * semicolons.
 */
export function linearFormula(formula: XmlElement): string {
  return spaced(sequence(formula)).replaceAll(tight, '').replace(/\s+/g, ' ').trim()
}

/** Marks an operator that is written without spaces, within a script. */
const tight = '\u{E000}'
const relations = '=≠≈≡≅∼≃<>≤≥≪≫∈∉⊂⊃⊆⊇∝→←↔⇒⇐⇔↦≔'
const operators = '+\\-−±∓×÷∪∩∧∨'

/** Puts spaces around relations, and around operators between two operands. */
function spaced(text: string): string {
  return text
    .replace(new RegExp(`\\s*(?<!${tight})([${relations}])\\s*`, 'gu'), ' $1 ')
    .replace(new RegExp(`(?<=[\\p{L}\\p{N}\\p{M})\\]}⟩!′∞…])\\s*([${operators}])\\s*`, 'gu'), ' $1 ')
}

function compact(text: string): string {
  return text.replace(new RegExp(`\\s*${tight}?([${relations}${operators}])\\s*`, 'gu'), `${tight}$1`)
}

/** Joins the children. Two operands, one of which is a structure, are separated by a space. */
function sequence(element: XmlElement | undefined): string {
  let text = ''
  let wasRun = false
  for (const child of (element?.children ?? []).filter(isElement)) {
    const next = linear(child)
    const isRun = child.name === 'r'
    const separate = !(isRun && wasRun) && /[\p{L}\p{N}\p{M})\]}]$/u.test(text) && /^[\p{L}\p{N}∑∏∫∮]/u.test(next)
    text += separate ? ` ${next}` : next
    if (next !== '') wasRun = isRun
  }
  return text
}

function linear(element: XmlElement): string {
  const part = (name: string): string => sequence(at(element, name))
  switch (element.name) {
    case 'r':
      return all(element, 't').map(textOf).join('')
    case 'f':
      return fraction(element)
    case 'sSup':
      return grouped(part('e')) + superscript(part('sup'))
    case 'sSub':
      return grouped(part('e')) + subscript(part('sub'))
    case 'sSubSup':
      return grouped(part('e')) + subscript(part('sub')) + superscript(part('sup'))
    case 'sPre':
      return superscript(part('sup')) + subscript(part('sub')) + part('e')
    case 'rad':
      return root(element)
    case 'nary':
      return nary(element)
    case 'd':
      return delimited(element)
    case 'm':
      return `[${matrixRows(element)}]`
    case 'eqArr':
      return equations(element)
    case 'func':
      return applied(part('fName'), part('e'))
    case 'limLow':
      return part('e') + script('_', part('lim'))
    case 'limUpp':
      return part('e') + script('^', part('lim'))
    case 'acc':
      return accented(part('e'), property(element, 'acc', 'chr') ?? '\u0302')
    case 'bar':
      return accented(part('e'), property(element, 'bar', 'pos') === 'top' ? '\u0305' : '\u0332')
    case 'phant':
      return property(element, 'phant', 'show') === '0' ? '' : part('e')
    case 'del':
      return ''
    default:
      return element.name.endsWith('Pr') ? '' : sequence(element)
  }
}

/** Returns the `m:val` of a property of a structure; undefined without it. */
function property(element: XmlElement, structure: string, name: string): string | undefined {
  return at(element, `${structure}Pr`, name)?.attributes['val']
}

function fraction(element: XmlElement): string {
  const [numerator, denominator] = [sequence(at(element, 'num')), sequence(at(element, 'den'))]
  if (property(element, 'f', 'type') === 'noBar') return `${numerator} over ${denominator}`
  return `${grouped(numerator)}/${grouped(denominator)}`
}

function root(element: XmlElement): string {
  const degree = sequence(at(element, 'deg'))
  const radicand = grouped(sequence(at(element, 'e')))
  if (degree === '' || degree === '2') return `√${radicand}`
  if (degree === '3') return `∛${radicand}`
  if (degree === '4') return `∜${radicand}`
  return `${degree === 'n' ? 'ⁿ' : (digits(degree, superscripts) ?? `(${compact(degree)})`)}√${radicand}`
}

function nary(element: XmlElement): string {
  const sign = property(element, 'nary', 'chr') ?? '∫'
  const [lower, upper] = [sequence(at(element, 'sub')), sequence(at(element, 'sup'))]
  const limits = (lower && script('_', lower)) + (upper && script('^', upper))
  return `${sign}${limits} ${sequence(at(element, 'e'))}`
}

function delimited(element: XmlElement): string {
  const [begin, separator, end] = [
    property(element, 'd', 'begChr') ?? '(',
    property(element, 'd', 'sepChr') ?? '|',
    property(element, 'd', 'endChr') ?? ')',
  ]
  const content = all(element, 'e').map((entry) => {
    const [only, ...others] = entry.children.filter(isElement).filter(({ name }) => !name.endsWith('Pr'))
    return only?.name === 'm' && others.length === 0 ? matrixRows(only) : sequence(entry)
  })
  return begin + content.join(separator === ',' ? ', ' : separator) + end
}

function matrixRows(element: XmlElement): string {
  const rows = all(element, 'mr').map((row) =>
    all(row, 'e')
      .map((cell) => sequence(cell))
      .join(', '),
  )
  return rows.join('; ')
}

/** `&` aligns the lines of an array of equations. */
function equations(element: XmlElement): string {
  return all(element, 'e')
    .map((line) => sequence(line).replaceAll('&', ''))
    .join('; ')
}

function applied(name: string, argument: string): string {
  return `${name}${/^[([{]/.test(argument) ? '' : ' '}${argument}`
}

function accented(base: string, accent: string): string {
  return (Array.from(base).length > 1 ? `(${base})` : base) + accent
}

const superscripts: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from('0123456789+-−').map((char, index) => [char, Array.from('⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻')[index] ?? '']),
)
const subscripts: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from('0123456789+-−').map((char, index) => [char, Array.from('₀₁₂₃₄₅₆₇₈₉₊₋₋')[index] ?? '']),
)

const superscript = (text: string): string => (/^[′″‴'°∘]+$/.test(text) ? text : (digits(text, superscripts) ?? script('^', text)))
const subscript = (text: string): string => digits(text, subscripts) ?? script('_', text)

function digits(text: string, characters: Readonly<Record<string, string>>): string | null {
  return /^[+\-−]?\d+$/.test(text) ? Array.from(text, (char) => characters[char] ?? char).join('') : null
}

function script(mark: '^' | '_', text: string): string {
  const content = compact(text)
  return content === '' ? '' : mark + (isAtom(content) ? content : `(${content})`)
}

/** A number, a letter, a word, or one of them with a script. Two letters may be a product. */
function isAtom(text: string): boolean {
  return (
    /^(?:[\d.,]+|\p{L}|\p{L}{3,}|.)[\p{M}′!⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻₀₁₂₃₄₅₆₇₈₉₊₋]*(?:[_^](?:[\p{L}\d]|\([^()]*\)))*$/u.test(text) || isBracketed(text)
  )
}

function isBracketed(text: string): boolean {
  let depth = 0
  const characters = Array.from(text)
  return (
    /^[([{].*[)\]}]$/su.test(text) &&
    characters.every((char, index) => {
      if ('([{'.includes(char)) depth++
      if (')]}'.includes(char)) depth--
      return depth > 0 || index === characters.length - 1
    })
  )
}

function grouped(text: string): string {
  return isAtom(text) ? text : `(${text})`
}

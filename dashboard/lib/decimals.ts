const whole = /^\d+(?:\.(\d+))?$/
/** The most that Intl formats in every browser. */
const maxFractionDigits = 20

/** Returns the separator of thousands of a locale. */
const groupSeparator = (locale: string | undefined): string | undefined =>
  new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(1_234_567).find(({ type }) => type === 'group')?.value

/**
 * Returns the exact decimal of a typed text, such as `1234.50` for `1.234,50`, or undefined if it is no number. The locale
 * decides on ambiguous texts such as `1,234`.
 */
export function parseDecimal(typed: string, locale?: string): string | undefined {
  const text = typed.trim().replaceAll(/(?<=\d)[\s’'](?=\d{3})/g, '')
  if (/^\d+$/.test(text)) return text
  if (!/^\d[\d.,]*$/.test(text)) return undefined
  const last = text.at(Math.max(text.lastIndexOf('.'), text.lastIndexOf(','))) ?? ''
  const pieces = text.split(last)
  const other = last === '.' ? ',' : '.'
  const isDecimal = text.includes(other) || (pieces.length === 2 && isDecimalPoint(pieces, last, locale))
  const [integer = '', fraction] = isDecimal ? [pieces.slice(0, -1).join(last), pieces.at(-1)] : [text]
  const groups = integer.split(isDecimal ? other : last)
  const isGrouped = groups.length === 1 || (/^\d{1,3}$/.test(groups[0] ?? '') && groups.slice(1).every((group) => /^\d{2,3}$/.test(group)))
  const result = groups.join('') + (fraction === undefined ? '' : `.${fraction}`)
  return isGrouped && whole.test(result) ? result : undefined
}

/** Returns whether the only separator of a number begins its fraction. */
function isDecimalPoint([before = '', after = '']: readonly string[], separator: string, locale: string | undefined): boolean {
  const canGroup = after.length === 3 && /^[1-9]\d{0,2}$/.test(before)
  return !canGroup || separator !== groupSeparator(locale)
}

/** Returns an exact decimal such as `1234.50` as the locale writes it, with all its digits. Other text stays as it is. */
export function formatDecimal(value: string, locale?: string): string {
  const match = whole.exec(value.trim())
  const digits = match?.[1]?.length ?? 0
  if (match === null || digits > maxFractionDigits) return value
  const options = { numberingSystem: 'latn', minimumFractionDigits: digits, maximumFractionDigits: digits } as const
  return new Intl.NumberFormat(locale, options).format(value.trim() as Intl.StringNumericLiteral)
}

/** As `parseDecimal`, for a number that can have a percent sign, which stays. */
export const parseAmountOrPercent = (typed: string, locale?: string): string | undefined =>
  convert(typed, (number) => parseDecimal(number, locale))

/** As `formatDecimal`, for a number that can have a percent sign, which stays. */
export const formatAmountOrPercent = (value: string, locale?: string): string =>
  convert(value, (number) => formatDecimal(number, locale)) ?? value

function convert(text: string, change: (number: string) => string | undefined): string | undefined {
  const [, number = '', percent = ''] = /^(.*?)(\s*%)?\s*$/s.exec(text) ?? []
  const changed = change(number)
  return changed === undefined ? undefined : changed + percent.trim()
}

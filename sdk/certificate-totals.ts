import type { Finding } from './certificate-check.ts'

type Content = Readonly<Record<string, unknown>>

/**
 * Checks that the lines of the accepted content add up to its total: without `subtotal`, totalAmount is the sum of `total` of the lines
 * that count; with it, subtotal is the sum of their `net`, taxTotal that of `taxes`, and totalAmount is subtotal − discountTotal + taxTotal.
 */
export function checkTotals(content: Content): Finding {
  const line = (holds: boolean | null, detail: string): Finding => ({ check: 'totals', holds, detail })
  const { items, totalAmount, currency, subtotal } = content
  if (!Array.isArray(items) || items.length === 0) return line(null, 'The content has no lines to add up.')
  const total = `${String(totalAmount)} ${String(currency)}`
  try {
    const counted = (items as Content[]).filter(({ optional, preselected }) => optional !== true || preselected === true)
    const addUp = typeof subtotal === 'string' ? addUpWithTaxes(content, counted) : sumOf(counted, 'total') === toMillionths(totalAmount)
    return addUp ? line(true, `The lines add up to ${total}.`) : line(false, `The lines do not add up to ${total}.`)
  } catch (error) {
    if (!(error instanceof NoAmount)) throw error
    return line(false, `The lines cannot be added up because ${error.message} is not an amount.`)
  }
}

function addUpWithTaxes({ subtotal, discountTotal, taxes, taxTotal, totalAmount }: Content, counted: readonly Content[]): boolean {
  return (
    sumOf(counted, 'net') === toMillionths(subtotal) &&
    sumOf(Array.isArray(taxes) ? (taxes as Content[]) : [], 'amount') === toMillionths(taxTotal) &&
    toMillionths(subtotal) - toMillionths(discountTotal) + toMillionths(taxTotal) === toMillionths(totalAmount)
  )
}

class NoAmount extends Error {}

const sumOf = (parts: readonly Content[], name: string): bigint => parts.reduce((sum, part) => sum + toMillionths(part[name]), 0n)

/** Parses a decimal string with at most six decimals. @throws NoAmount for anything else */
function toMillionths(text: unknown): bigint {
  const [, sign = '', units = '', decimals = ''] = (typeof text === 'string' && /^(-?)(\d+)(?:\.(\d{1,6}))?$/.exec(text)) || []
  if (units === '') throw new NoAmount(JSON.stringify(text))
  return BigInt(`${sign}${units}${decimals.padEnd(6, '0')}`)
}

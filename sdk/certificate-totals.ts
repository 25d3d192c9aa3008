import type { Finding } from './certificate-check.ts'

/**
 * Checks that the lines of the accepted content add up to its total. Without lines, there is nothing to add up.
 */
export function checkTotals(content: Readonly<Record<string, unknown>>): Finding {
  const line = (holds: boolean | null, detail: string): Finding => ({ check: 'totals', holds, detail })
  const { items, totalAmount, currency } = content
  if (!Array.isArray(items) || items.length === 0 || typeof totalAmount !== 'string')
    return line(null, 'The content has no lines that could be added up.')
  const counted = (items as Readonly<Record<string, unknown>>[]).filter(({ optional }) => optional !== true)
  const amounts = counted.map(({ total }) => toMillionths(total))
  const sum = amounts.reduce((before: bigint | null, amount) => (before === null || amount === null ? null : before + amount), 0n)
  if (sum === null) return line(null, 'A line has no total.')
  return sum === toMillionths(totalAmount)
    ? line(true, `The lines add up to ${totalAmount} ${String(currency)}.`)
    : line(false, `The lines do not add up to ${totalAmount} ${String(currency)}.`)
}

/** Parses a decimal string with at most six decimals. Returns null for anything else. */
function toMillionths(text: unknown): bigint | null {
  const [, sign = '', units = '', decimals = ''] = (typeof text === 'string' && /^(-?)(\d+)(?:\.(\d{1,6}))?$/.exec(text)) || []
  return units === '' ? null : BigInt(`${sign}${units}${decimals.padEnd(6, '0')}`)
}

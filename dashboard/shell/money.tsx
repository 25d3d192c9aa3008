import { money } from '../lib/formats.ts'

/** An amount in the format of the browser’s locale. @param amount an exact decimal such as `1200.00` */
export function Money({ amount, currency }: { amount: string; currency: string }) {
  return <data value={`${amount} ${currency}`}>{money(amount, currency)}</data>
}

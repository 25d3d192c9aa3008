import type { OwnerQuery } from '../db/owner-query.ts'
import { countSealed, rotateSecretKey, type ColumnCount } from './rotate-secret-key.ts'
import { openSharedSecretKey, type SecretKeyOptions } from './secret-key.ts'

export const keyUsage = `key rotate: encrypts all stored values again, under SECRET_KEY, that need SECRET_KEY_PREVIOUS. Start all programs with both settings
before, and keep them running. It can be stopped and run again. Afterwards, SECRET_KEY_PREVIOUS can be removed.

  --check              only count the values that need SECRET_KEY_PREVIOUS; exits with 1 if there are any
  --json               print {"finished", "values"}
`

const intervalMs = 1000

/** Runs `key rotate`. */
export async function runKeyCommand({ check, json }: { check: boolean; json: boolean }, place: SecretKeyOptions): Promise<void> {
  const { query } = place
  const keys = await openSharedSecretKey(place)
  const options = { query, keys, progress: progressLines((line) => process.stderr.write(line)) }
  const counts = await (check ? countSealed(options) : rotateSecretKey(options))
  const remaining = check ? sum(counts, 'former') : 0
  if (json) process.stdout.write(`${JSON.stringify({ finished: remaining === 0, values: counts })}\n`)
  else process.stdout.write(check ? checkReport(counts, remaining) : await rotationReport(counts, query))
  if (remaining > 0) process.exitCode = 1
}

const sum = (counts: readonly ColumnCount[], field: 'values' | 'former' | 'resealed' | 'unreadable'): number =>
  counts.reduce((total, count) => total + count[field], 0)

function checkReport(counts: readonly ColumnCount[], remaining: number): string {
  const lines = counts.map(({ name, values, former }) => `${name}: ${values}, ${former} need SECRET_KEY_PREVIOUS\n`)
  const result =
    remaining === 0 ? 'No value needs SECRET_KEY_PREVIOUS.' : `${remaining} values need SECRET_KEY_PREVIOUS. Run "groundwork key rotate".`
  return `${lines.join('')}${unreadable(counts)}${result}\n`
}

async function rotationReport(counts: readonly ColumnCount[], query: OwnerQuery): Promise<string> {
  const lines = counts.map(({ name, values, resealed }) => `${name}: ${values}, ${resealed} encrypted again\n`)
  const [open] = await query<{ count: number }>(`select count(*)::int as count from proposal where status = 'pending'`)
  const links =
    open === undefined || open.count === 0
      ? ''
      : `${open.count} proposals are open. Links to them that were sent before SECRET_KEY was changed stop working when SECRET_KEY_PREVIOUS is removed.\n`
  return `${lines.join('')}${unreadable(counts)}${links}All values are encrypted under SECRET_KEY. SECRET_KEY_PREVIOUS can be removed.\n`
}

function unreadable(counts: readonly ColumnCount[]): string {
  const count = sum(counts, 'unreadable')
  return count === 0 ? '' : `${count} values cannot be decrypted with either key. "groundwork doctor" names them.\n`
}

/** Writes a line per second at most. */
function progressLines(write: (line: string) => void): (count: ColumnCount) => void {
  let writtenAt = performance.now()
  return ({ name, values, resealed }) => {
    const now = performance.now()
    if (now - writtenAt < intervalMs) return
    writtenAt = now
    write(`${name}: ${values} read, ${resealed} encrypted again\n`)
  }
}

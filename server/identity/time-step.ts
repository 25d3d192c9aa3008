import { createHmac } from 'node:crypto'

const stepMs = 30_000

/**
 * Returns the time step of a TOTP code (RFC 6238: HMAC-SHA-1, 6 digits); undefined if the code is invalid. As in better-auth, codes
 * of the step before and after the current one are valid.
 */
export function timeStepOf(code: string, secret: string, nowMs: number): number | undefined {
  const current = Math.floor(nowMs / stepMs)
  return [current + 1, current, current - 1].find((step) => codeAt(step, secret) === code)
}

function codeAt(step: number, secret: string): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', secret).update(counter).digest()
  const offset = digest.readUInt8(digest.length - 1) & 15
  return String((digest.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0')
}

import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const pattern = /^gwp?_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/

/**
 * Returns a new API token: `gw_`, 32 random base62 characters (190 bits), and a 6-character checksum. That of a publishable token
 * begins with `gwp_`, so that secret scanners do not report it.
 */
export function newSecret({ isPublishable = false } = {}): string {
  const random = Array.from({ length: 32 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return `${isPublishable ? 'gwp' : 'gw'}_${random}${checksum(random)}`
}

/** Returns whether prefix, length and checksum are valid. Malformed tokens are refused without a database query. */
export function isWellFormedSecret(secret: string): boolean {
  const match = pattern.exec(secret)
  return match?.[1] !== undefined && checksum(match[1]) === match[2]
}

/** Returns the hash to store. The secret has 190 random bits, so a plain SHA-256 cannot be brute-forced. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** Returns the part of a secret that may be displayed: the last four characters, all from the checksum. */
export const hintOf = (secret: string): string => secret.slice(-4)

function checksum(random: string): string {
  let rest = crc32(random) >>> 0
  let digits = ''
  for (let place = 0; place < 6; place += 1) {
    digits = `${alphabet[rest % 62]}${digits}`
    rest = Math.floor(rest / 62)
  }
  return digits
}

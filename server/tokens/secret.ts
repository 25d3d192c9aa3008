import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const pattern = /^gw_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/

/** A new API token: `gw_`, 32 random base62 characters (190 bits), and a checksum of six. */
export function newSecret(): string {
  const random = Array.from({ length: 32 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return `gw_${random}${checksum(random)}`
}

/** Whether the text can be a token at all; what cannot is refused without a look into the database. */
export function isWellFormedSecret(secret: string): boolean {
  const match = pattern.exec(secret)
  return match?.[1] !== undefined && checksum(match[1]) === match[2]
}

/** What is stored. The secret has 190 random bits, so a plain hash cannot be guessed back. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** What of a secret may be shown: the last four characters, all of the checksum. */
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

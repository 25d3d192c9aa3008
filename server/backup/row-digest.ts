import { hash } from 'node:crypto'

/** A digest of rows that does not depend on their order, because a restored table may return them in another one. */
export interface RowDigest {
  /** Adds the rows of COPY's text format: one per line. */
  add(data: Buffer): void
  readonly rows: number
  /** Hexadecimal. */
  digest(): string
}

const newline = 0x0a

/** Sums the SHA-256 of each row, as eight numbers of 32 bits each. It detects damage; it is no protection against forgery. */
export function rowDigest(): RowDigest {
  const sums = new Uint32Array(8)
  let rows = 0
  return {
    add(data) {
      for (let from = 0; from < data.length;) {
        // COPY writes a newline inside of a value as \n, so each newline ends a row.
        const end = data.indexOf(newline, from)
        const row = data.subarray(from, end < 0 ? data.length : end)
        const digest = hash('sha256', row, 'buffer')
        for (let word = 0; word < 8; word++) sums[word] = (sums[word] ?? 0) + digest.readUInt32BE(4 * word)
        rows += 1
        from = end < 0 ? data.length : end + 1
      }
    },
    get rows() {
      return rows
    },
    digest: () => Buffer.from(sums.buffer).toString('hex'),
  }
}

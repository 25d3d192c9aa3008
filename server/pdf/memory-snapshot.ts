/** A copy of the memory of a WebAssembly instance. */
export interface MemorySnapshot {
  /** Bytes by which the memory has grown since the copy was made. */
  readonly grownBytes: () => number
  /**
   * Sets every byte of the memory to its value in the copy, and memory that was added since to zero. No object of JavaScript may
   * exist in only one of both states: functions of the instance would use a wrong one.
   */
  readonly restore: () => void
}

const pageBytes = 65_536

/** @param constants bytes in the memory that never change, so they need no copy */
export function takeSnapshot(memory: { readonly buffer: ArrayBuffer }, constants: readonly Uint8Array[] = []): MemorySnapshot {
  const size = memory.buffer.byteLength
  const constant = constantPages(Buffer.from(memory.buffer), constants)
  const kindOf = (start: number) => (constant.has(start) ? 'constant' : isEmpty(memory.buffer, start) ? 'empty' : 'copied')
  /** Consecutive pages of one kind. */
  const parts: { start: number; end: number; copy: Uint8Array | null }[] = []
  for (let start = 0, end = 0; start < size; start = end) {
    const kind = kindOf(start)
    for (end = start + pageBytes; end < size && kindOf(end) === kind;) end += pageBytes
    if (kind !== 'constant') parts.push({ start, end, copy: kind === 'empty' ? null : new Uint8Array(memory.buffer.slice(start, end)) })
  }
  return {
    grownBytes: () => memory.buffer.byteLength - size,
    restore() {
      const current = new Uint8Array(memory.buffer)
      for (const { start, end, copy } of parts) {
        if (copy === null) current.fill(0, start, end)
        else current.set(copy, start)
      }
      current.fill(0, size)
    },
  }
}

const isEmpty = (buffer: ArrayBuffer, start: number): boolean =>
  new BigUint64Array(buffer, start, pageBytes / BigUint64Array.BYTES_PER_ELEMENT).every((value) => value === 0n)

/** Returns the starts of pages that the constants fill. A constant that occurs twice is left out: one of both may be freed memory. */
function constantPages(memory: Buffer, constants: readonly Uint8Array[]): Set<number> {
  const pages = new Set<number>()
  for (const bytes of constants) {
    const [first, ...others] = occurrences(memory, bytes)
    if (first === undefined || others.length > 0) continue
    for (let page = Math.ceil(first / pageBytes) * pageBytes; page + pageBytes <= first + bytes.length; page += pageBytes) pages.add(page)
  }
  return pages
}

function occurrences(memory: Buffer, bytes: Uint8Array): number[] {
  const beginning = bytes.subarray(0, 1024)
  const found: number[] = []
  for (let at = memory.indexOf(beginning); at !== -1; at = memory.indexOf(beginning, at + 1))
    if (memory.subarray(at, at + bytes.length).equals(bytes)) found.push(at)
  return found
}

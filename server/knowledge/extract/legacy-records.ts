/** A record of a PowerPoint 97-2003 file (MS-PPT 2.3.1), a container of records or an atom with data. */
export interface LegacyRecord {
  readonly type: number
  readonly instance: number
  /** Empty for a container. */
  readonly data: Buffer
  readonly children: readonly LegacyRecord[]
}

const headerBytes = 8
const limits = { depth: 32, records: 1_000_000 }

/** Reads the record at an offset; undefined if there is none. A record that is longer than its container is cut. */
export function readRecord(bytes: Buffer, offset: number): LegacyRecord | undefined {
  return recordsIn(bytes, offset, bytes.length, { left: limits.records }, 0, 1)[0]
}

/** Reads consecutive records. */
export function readRecords(bytes: Buffer): LegacyRecord[] {
  return recordsIn(bytes, 0, bytes.length, { left: limits.records }, 0)
}

function recordsIn(
  bytes: Buffer,
  from: number,
  to: number,
  budget: { left: number },
  depth: number,
  count = Number.POSITIVE_INFINITY,
): LegacyRecord[] {
  const records: LegacyRecord[] = []
  for (let at = from; at >= 0 && at + headerBytes <= to && records.length < count;) {
    if (budget.left-- <= 0) break
    const options = bytes.readUInt16LE(at)
    const begin = at + headerBytes
    const end = Math.min(to, begin + bytes.readUInt32LE(at + 4))
    const isContainer = (options & 0xf) === 0xf && depth < limits.depth
    records.push({
      type: bytes.readUInt16LE(at + 2),
      instance: options >> 4,
      data: isContainer ? Buffer.alloc(0) : bytes.subarray(begin, end),
      children: isContainer ? recordsIn(bytes, begin, end, budget, depth + 1) : [],
    })
    at = end
  }
  return records
}

export const childrenOf = (record: LegacyRecord | undefined, type: number): LegacyRecord[] =>
  (record?.children ?? []).filter((child) => child.type === type)

/** Returns every record of these types below, in file order, without those inside another result. */
export function findRecords(record: LegacyRecord | undefined, ...types: readonly number[]): LegacyRecord[] {
  return (record?.children ?? []).flatMap((child) => (types.includes(child.type) ? [child] : findRecords(child, ...types)))
}

/** Reads a number at an offset of an atom; 0 beyond its end. */
export const numberAt = ({ data }: LegacyRecord, offset: number): number => (offset + 4 <= data.length ? data.readUInt32LE(offset) : 0)

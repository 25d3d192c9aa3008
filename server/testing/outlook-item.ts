import { compoundFile } from './compound-documents.ts'

const wide = (text: string): Buffer => Buffer.from(text, 'utf16le')

interface OutlookItem {
  readonly subject: string
  readonly body?: string
  readonly messageClass?: string
  readonly from?: { readonly name: string; readonly address: string }
  readonly to?: readonly { readonly name: string; readonly address: string }[]
  readonly attachments?: readonly { readonly name: string; readonly mediaType: string; readonly bytes: Uint8Array }[]
  /** Sent at this time. */
  readonly time?: Date
}

/** Returns an Outlook item (MS-OXMSG). */
export function outlookItem({ subject, body, messageClass = 'IPM.Note', from, to = [], attachments = [], time }: OutlookItem): Buffer {
  const text = (id: string, value: string | undefined) => (value === undefined ? {} : { [`__substg1.0_${id}001F`]: wide(value) })
  const within = (folder: string, streams: Readonly<Record<string, Uint8Array>>) =>
    Object.fromEntries(Object.entries(streams).map(([name, bytes]) => [`${folder}/${name}`, bytes]))
  const folderOf = (kind: string, at: number) => `__${kind}_version1.0_#${String(at).padStart(8, '0')}`
  return compoundFile({
    '__properties_version1.0': Buffer.concat([Buffer.alloc(32), ...(time === undefined ? [] : [timeProperty(0x0039, time)])]),
    '__nameid_version1.0/__substg1.0_00020102': Buffer.alloc(0),
    '__nameid_version1.0/__substg1.0_00030102': Buffer.alloc(0),
    '__nameid_version1.0/__substg1.0_00040102': Buffer.alloc(0),
    ...text('0037', subject),
    ...text('1000', body),
    ...text('001A', messageClass),
    ...text('0C1A', from?.name),
    ...text('5D01', from?.address),
    ...Object.assign(
      {},
      ...to.map(({ name, address }, at) =>
        within(folderOf('recip', at), {
          '__properties_version1.0': Buffer.concat([Buffer.alloc(8), numberProperty(0x0c15, 1)]),
          ...text('3001', name),
          ...text('39FE', address),
        }),
      ),
      ...attachments.map(({ name, mediaType, bytes }, at) =>
        within(folderOf('attach', at), {
          '__properties_version1.0': Buffer.concat([Buffer.alloc(8), numberProperty(0x3705, 1)]),
          ...text('3707', name),
          ...text('370E', mediaType),
          '__substg1.0_37010102': bytes,
        }),
      ),
    ),
  })
}

function property(id: number, type: number): Buffer {
  const entry = Buffer.alloc(16)
  entry.writeUInt16LE(type, 0)
  entry.writeUInt16LE(id, 2)
  entry.writeUInt32LE(6, 4)
  return entry
}

function numberProperty(id: number, value: number): Buffer {
  const entry = property(id, 0x0003)
  entry.writeUInt32LE(value, 8)
  return entry
}

/** In units of 100 ns since 1601. */
function timeProperty(id: number, time: Date): Buffer {
  const entry = property(id, 0x0040)
  entry.writeBigUInt64LE((BigInt(time.getTime()) + 11_644_473_600_000n) * 10_000n, 8)
  return entry
}

/** Maximum size of an unpacked attachment. A larger one is no certificate. */
const maxBytes = 8_000_000

/** Returns whether the file is a PDF. */
export const isPdf = (bytes: Uint8Array): boolean => latin1(bytes.subarray(0, 1024)).includes('%PDF-')

/**
 * Returns the files that are embedded in a PDF, in the order of the file. Embedded files are streams, which a PDF never packs into
 * other objects, so they are found without reading the structure of the document. Leaves out those that are damaged, too large or in
 * an encoding other than Flate.
 */
export async function pdfAttachments(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>[]> {
  const text = latin1(bytes)
  const found: Uint8Array<ArrayBuffer>[] = []
  for (const { index } of text.matchAll(/\/Type\s*\/EmbeddedFile(?!\w)/g)) {
    const header = text.slice(text.lastIndexOf(' obj', index), index + 1000)
    const [dictionary = ''] = /^.*?stream\r?\n/s.exec(header) ?? []
    if (dictionary === '') continue
    const start = text.lastIndexOf(' obj', index) + dictionary.length
    const content = await unpack(bytes.slice(start, endOf(text, start, dictionary)), dictionary)
    if (content !== null) found.push(content)
  }
  return found
}

/** Characters and bytes have the same positions. */
const latin1 = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes)

/** Returns the end of a stream: by its length, or, if that is an object of its own, by its last line. */
function endOf(text: string, start: number, dictionary: string): number {
  const length = Number(/\/Length\s+(\d+)(?!\s+\d+\s+R)\b/.exec(dictionary)?.[1] ?? Number.NaN)
  if (/^\s*endstream/.test(text.slice(start + length, start + length + 20))) return start + length
  const end = text.indexOf('endstream', start)
  return end === -1 ? text.length : end - (/\r?\n$/.exec(text.slice(end - 2, end))?.[0].length ?? 0)
}

/** Returns the unpacked content, or null. */
async function unpack(content: Uint8Array<ArrayBuffer>, dictionary: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const filter = /\/Filter\s*\[?\s*\/(\w+)/.exec(dictionary)?.[1]
  if (filter === undefined) return content.length > maxBytes ? null : content
  if (filter !== 'FlateDecode') return null
  const parts: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  try {
    const unpacked = new Blob([content]).stream().pipeThrough(new DecompressionStream('deflate'))
    const reader = unpacked.getReader()
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      size += read.value.length
      if (size > maxBytes) {
        await reader.cancel()
        return null
      }
      parts.push(new Uint8Array(read.value))
    }
  } catch {
    // The stream is damaged.
    return null
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer())
}

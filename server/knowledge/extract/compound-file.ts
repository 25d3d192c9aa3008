import { CFB } from '@e965/xlsx'
import { SourceError } from '../../lib/errors.ts'

/** A Compound File (MS-CFB), the container of Office 97-2003 and Outlook. */
export interface CompoundFile {
  /** Returns the bytes of a stream in the root folder; undefined without it. */
  stream(name: string): Buffer | undefined
}

/** The part of the CFB library that is used; its types are `any`. */
interface CfbLibrary {
  read(bytes: Uint8Array, options: { type: 'buffer' }): { FullPaths: string[]; FileIndex: { content?: Uint8Array | number[] }[] }
}

/** @throws SourceError corrupt_file */
export function openCompoundFile(bytes: Uint8Array): CompoundFile {
  const { FullPaths, FileIndex } = readContainer(bytes)
  return {
    stream(name) {
      const at = FullPaths.findIndex((path) => path.replace(/^[^/]*\//, '') === name)
      const content = FileIndex[at]?.content
      return content === undefined ? undefined : Buffer.from(content as Uint8Array)
    },
  }
}

function readContainer(bytes: Uint8Array): ReturnType<CfbLibrary['read']> {
  try {
    return (CFB as CfbLibrary).read(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), { type: 'buffer' })
  } catch (cause) {
    throw new SourceError('corrupt_file', 'The file is damaged: its container does not follow its format.', { cause })
  }
}

import { closeSync, fstatSync, open as openCallback, read as readCallback, readSync } from 'node:fs'
import { promisify } from 'node:util'

const openDescriptor = promisify(openCallback)
const read = promisify(readCallback)

/** The file is damaged, or of another version of the program. */
export class UnreadableIndexFile extends Error {}

export const wrongChecksum = 'A checksum is wrong.'

let openFiles = 0

function closeDescriptor(descriptor: number): void {
  openFiles -= 1
  closeSync(descriptor)
}

/** Closes the files of indexes that were dropped: a search that still runs keeps its index, and with it the file. */
const dropped = new FinalizationRegistry<number>(closeDescriptor)

/** A file that is read by position. It is closed by `close`, or when nothing refers to it any more. */
export class PositionedFile {
  /** Number of open files in this process. */
  static get open(): number {
    return openFiles
  }

  readonly bytes: number
  readonly #descriptor: number

  private constructor(descriptor: number) {
    this.#descriptor = descriptor
    this.bytes = fstatSync(descriptor).size
    dropped.register(this, descriptor, this)
    openFiles += 1
  }

  static async at(path: string): Promise<PositionedFile> {
    return new PositionedFile(await openDescriptor(path, 'r'))
  }

  /**
   * Fills `into` with the bytes at a position.
   * @throws UnreadableIndexFile if the file ends before
   */
  async read<T extends Uint8Array>(into: T, position: number): Promise<T> {
    for (let at = 0; at < into.length;) {
      const { bytesRead } = position < 0 ? noBytes : await read(this.#descriptor, into, at, into.length - at, position + at)
      if (bytesRead === 0) throw new UnreadableIndexFile('The file is incomplete.')
      at += bytesRead
    }
    return into
  }

  /** Does the same while the caller waits: a few kB that the operating system usually has in memory. */
  readNow(into: Uint8Array, position: number): void {
    for (let at = 0; at < into.length;) {
      const bytesRead = readSync(this.#descriptor, into, at, into.length - at, position + at)
      if (bytesRead === 0) throw new UnreadableIndexFile('The file is incomplete.')
      at += bytesRead
    }
  }

  close(): void {
    dropped.unregister(this)
    closeDescriptor(this.#descriptor)
  }
}

const noBytes = { bytesRead: 0 }

/** An upload in parts that was not complete when its page was left. */
interface Interrupted {
  readonly name: string
  readonly size: number
  readonly lastModified: number
  readonly uploadId: string
  /** Time at which it began, in milliseconds. */
  readonly begunAt: number
}

/** The uploads that a reload interrupts. The same file can be chosen again, and its upload continues. */
export interface InterruptedUploads {
  /** Returns the id of the upload of a file. */
  find: (file: File) => string | undefined
  remember: (file: File, uploadId: string) => void
  forget: (file: File) => void
  forgetAll: () => void
  /** Returns the names of the files. */
  names: () => string[]
}

/** The service keeps an upload for a day. */
const maxAgeMs = 86_400_000

/** @param name distinguishes knowledge bases; the uploads of a tab are kept until it is closed */
export function interruptedUploads(name: string): InterruptedUploads {
  const key = `uploads ${name}`
  const read = (): Interrupted[] => {
    // Only this module writes the item.
    const all = JSON.parse(sessionStorage.getItem(key) ?? '[]') as Interrupted[]
    return all.filter(({ begunAt }) => begunAt > Date.now() - maxAgeMs)
  }
  const write = (all: readonly Interrupted[]): void => {
    if (all.length === 0) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(all))
  }
  const others = (file: File): Interrupted[] => read().filter((each) => !isOf(file, each))
  return {
    find: (file) => read().find((each) => isOf(file, each))?.uploadId,
    remember(file, uploadId) {
      // The fields of a File belong to its prototype, so it cannot be spread.
      const { name: fileName, size, lastModified } = file
      write([...others(file), { name: fileName, size, lastModified, uploadId, begunAt: Date.now() }])
    },
    forget: (file) => write(others(file)),
    forgetAll: () => write([]),
    names: () => read().map((each) => each.name),
  }
}

const isOf = (file: File, { name, size, lastModified }: Interrupted): boolean =>
  file.name === name && file.size === size && file.lastModified === lastModified

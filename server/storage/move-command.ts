import { moveFiles, type MovedFiles } from './move-files.ts'
import type { Storage } from './storage.ts'

export const storageUsage = `storage move: copies all files from STORAGE_URL_PREVIOUS to STORAGE_URL, reads each copy again and compares its SHA-256. Start all
programs with both settings before, and keep them running. It can be stopped and run again, and deletes nothing in the former place.

  --to URL             copy from the configured storage to URL instead, so that a later move takes less time
  --json               print {"files", "bytes", "present"}
`

const intervalMs = 1000

/**
 * Runs `storage move`. `whole` if the running programs use both places, so that nothing is missing in `to` afterwards: then `to` gets
 * the id of the store, without which a program does not start with it.
 */
export async function runMove(from: Storage, to: Storage, { json, whole }: { json: boolean; whole: boolean }): Promise<void> {
  const id = await from.readId()
  const found = await to.readId()
  if (found !== null && found !== id) throw new Error(`${to.location} has the files of another installation: its id is ${found}.`)
  const moved = await moveFiles(from, to, progressLines())
  if (whole && id !== null) await to.createId(id)
  const report = `All files of ${from.location} are in ${to.location}: ${moved.files} copied (${(moved.bytes / 1e6).toFixed(1)} MB), ${moved.present} were there.`
  process.stdout.write(json ? `${JSON.stringify(moved)}\n` : `${report}\n`)
}

/** Returns a function that writes a line per second at most. */
function progressLines(): (moved: MovedFiles) => void {
  let writtenAt = performance.now()
  return ({ files, bytes, present }) => {
    const now = performance.now()
    if (now - writtenAt < intervalMs) return
    writtenAt = now
    process.stderr.write(`${files} files copied, ${(bytes / 1e6).toFixed(1)} MB, ${present} were there\n`)
  }
}

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openIndexFile } from '../knowledge/index/index-file.ts'
import { UnreadableIndexFile } from '../knowledge/index/positioned-file.ts'
import { isIndexFile } from '../knowledge/index/index-files.ts'
import { nullIfMissing } from '../lib/missing-file.ts'

/** A file that the program deletes and writes again when it is needed. */
export interface IndexFileFinding {
  readonly check: 'index_file'
  readonly organizationId: string
  readonly subject: string
  readonly detail: string
}

/** Returns the index files in a folder that are damaged, or of another version of the program. */
export async function checkIndexFiles(folder: string): Promise<IndexFileFinding[]> {
  const findings: IndexFileFinding[] = []
  for (const organizationId of (await readdir(folder).catch(nullIfMissing)) ?? []) {
    for (const name of (await readdir(join(folder, organizationId))).filter(isIndexFile)) {
      const detail = await faultOf(join(folder, organizationId, name))
      if (detail !== null) findings.push({ check: 'index_file', organizationId, subject: name, detail })
    }
  }
  return findings
}

async function faultOf(path: string): Promise<string | null> {
  try {
    const file = await openIndexFile(path).catch(nullIfMissing)
    if (file === null) return null
    try {
      await file.check()
    } finally {
      file.close()
    }
    return null
  } catch (error) {
    if (!(error instanceof UnreadableIndexFile)) throw error
    return `${error.message} The program reads this index from the database, and writes the file again.`
  }
}

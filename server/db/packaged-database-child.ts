/** A process that writes the files of an empty migrated database into the zip file that it is given. `npm run package` runs it. */
import { readdirSync, readFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zipSync, type Zippable } from 'fflate'
import { openJobs } from '../jobs/jobs.ts'
import { queues } from '../queues.ts'
import { connectDatabase } from './database.ts'
import { clusterFolder } from './embedded/cluster.ts'
import { openEmbedded } from './embedded/embedded.ts'
import { migrate } from './migrate.ts'

const [target] = process.argv.slice(2)
if (target === undefined) throw new Error('which file?')
const folder = mkdtempSync(join(tmpdir(), 'groundwork-database-'))
try {
  const engine = await openEmbedded({ dataDir: folder })
  const database = connectDatabase({ stream: () => engine.stream() })
  await migrate(database.pool)
  const fail = (error: unknown): never => {
    throw error
  }
  const jobs = await openJobs(database.pool, { queues, worker: null, onError: fail })
  await jobs.stop()
  await database.close()
  await engine.close()
  writeFileSync(target, zipSync(contentOf(clusterFolder(folder))))
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** The content of a folder with its folders, also the empty ones. */
function contentOf(parent: string): Zippable {
  return Object.fromEntries(
    readdirSync(parent, { withFileTypes: true }).map((entry) => {
      const path = join(parent, entry.name)
      return [entry.name, entry.isDirectory() ? contentOf(path) : readFileSync(path)]
    }),
  )
}

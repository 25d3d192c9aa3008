/** A process of the tests: opens the folder, says so, then writes numbered rows and prints each one that was acknowledged. */
import pg from 'pg'
import { EmbeddedLockedError, openEmbedded } from './embedded.ts'

const [dataDir, task] = process.argv.slice(2)
if (dataDir === undefined) throw new Error('which folder?')
try {
  const began = performance.now()
  const db = await openEmbedded({ dataDir, maintenance: { walBytes: 2 ** 20, intervalMs: 50 } })
  console.log(`open ${Math.round(performance.now() - began)}`)
  if (task === 'write') await write(new pg.Pool({ stream: () => db.stream(), max: 4 }))
  if (task === 'close') await db.close()
} catch (error) {
  if (!(error instanceof EmbeddedLockedError)) throw error
  console.log(`locked by ${error.pid}`)
}

async function write(pool: pg.Pool): Promise<void> {
  await pool.query('create table if not exists kept (id bigserial primary key, text text)')
  const writer = async (): Promise<never> => {
    for (;;) {
      const { rows } = await pool.query<{ id: string }>('insert into kept (text) values ($1) returning id', [
        'x'.repeat(Math.random() * 3000),
      ])
      console.log(`kept ${rows[0]?.id}`)
    }
  }
  await Promise.all([writer(), writer(), writer()])
}

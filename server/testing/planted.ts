import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../db/database.ts'

/** Returns the tables with a row that contains one of the texts, in any column. */
export async function tablesWith({ pool }: Database, texts: readonly string[]): Promise<string[]> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') order by 1`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const having = `select 1 from ${name} as stored where stored::text ilike any ($1) limit 1`
    const { rows } = await pool.query(having, [texts.map((text) => `%${text}%`)])
    if (rows.length > 0) found.push(name)
  }
  return found
}

/** Returns the names of the files of a folder, such as that of written messages, with one of the texts in lower case. */
export async function filesWith(folder: string, texts: readonly string[]): Promise<string[]> {
  const names = await readdir(folder).catch(() => []) // The folder is made with the first message.
  const contents = await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const))
  return contents.flatMap(([name, content]) => (texts.some((text) => content.toLowerCase().includes(text)) ? [name] : []))
}

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Program } from '../program.ts'

/** Waits for a message to the email address, in the folder that has the messages without a mail server, and returns the newest one. */
export async function messageTo({ env }: Pick<Program, 'env'>, email: string): Promise<string> {
  const folder = join(env['DATA_DIR'] ?? '', 'mail')
  const read = async (): Promise<string> => {
    const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml'))
    for (const name of names.toSorted().toReversed()) {
      const text = await readFile(join(folder, name), 'utf8')
      // Quoted-printable encoding wraps long lines.
      if (text.includes(`To: ${email}`)) return text.replaceAll('=\r\n', '')
    }
    return ''
  }
  await expect.poll(read).not.toBe('')
  return read()
}

export const linkIn = (text: string): string => /http:\S+\/app\/\S+#\S+/.exec(text)?.[0] ?? ''

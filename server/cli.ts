import { scopes as allScopes, wireId, type Scope } from '@groundwork/api'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { readConfig } from './config.ts'
import { openStoreBesides } from './db/store.ts'
import { ensureOrganization } from './organizations/organizations.ts'
import { createToken } from './tokens/issue.ts'

const usage = `Usage: npm run --silent groundwork -- token create --organization NAME [options]

Makes an API token, and the organization when there is none of that name.

  --organization NAME  whose data the token opens
  --name NAME          what the token is for (default: command line)
  --scopes LIST        comma-separated, '*' for all (default)
                       ${allScopes.join(', ')}
  --expires DAYS       end of its life (default: never)
  --json               print {"token", "id", "organizationId"}
`

const options = {
  organization: { type: 'string' },
  name: { type: 'string', default: 'command line' },
  scopes: { type: 'string', default: '*' },
  expires: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

try {
  const { values, positionals } = parseArgs({ allowPositionals: true, options })
  if (values.help) process.stdout.write(usage)
  else if (positionals.join(' ') === 'token create') await createTokenCommand(values)
  else throw new Error(`unknown command: ${positionals.join(' ')}\n\n${usage}`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values']

async function createTokenCommand(values: Values): Promise<void> {
  const name = values.organization?.trim() ?? ''
  if (name === '') throw new Error('--organization NAME is required')
  const scopes = readScopes(values.scopes)
  const now = new Date()
  const expiresAt = values.expires === undefined ? null : new Date(now.getTime() + readDays(values.expires) * 86_400_000)
  const config = readConfig()
  const log = pino({ level: 'error' }, pino.destination(2))
  const store = await openStoreBesides({ dataDir: resolve(config.DATA_DIR), databaseUrl: config.DATABASE_URL, log })
  try {
    const organizationId = await ensureOrganization(store.database.pool, name, now)
    const { id, secret } = await createToken(store.database, { organizationId, name: values.name, scopes, expiresAt, now })
    const made = { token: secret, id: wireId('tok', id), organizationId: wireId('org', organizationId) }
    process.stdout.write(values.json ? `${JSON.stringify(made)}\n` : `${secret}\n`)
  } finally {
    await store.close()
  }
}

function readScopes(list: string): readonly Scope[] {
  if (list === '*') return allScopes
  return list.split(',').map((entry) => {
    const scope = allScopes.find((known) => known === entry.trim())
    if (scope === undefined) throw new Error(`unknown scope: ${entry.trim()}; there are ${allScopes.join(', ')}`)
    return scope
  })
}

function readDays(text: string): number {
  const days = Number(text)
  if (!Number.isFinite(days) || days <= 0) throw new Error('--expires takes a number of days above 0')
  return days
}

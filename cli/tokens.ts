import { scopes as allScopes, type Scope } from '@groundwork/api'
import type { ApiToken } from '@groundwork/sdk'
import { all } from './all.ts'
import { command } from './command.ts'
import { UsageError } from './failure.ts'
import { findBase } from './find-base.ts'
import { suggestion } from './suggest.ts'

export const listTokens = command({
  words: 'tokens list',
  takes: '',
  summary: 'list the API tokens, without their secrets',
  options: {},
  async run({ client, output, signal }) {
    const tokens = await all(client.tokens.list({ limit: 100 }, { signal }))
    const rows = tokens.map((token) => [
      token.id,
      token.name,
      `…${token.hint ?? ''}`,
      stateOf(token),
      token.lastUsedAt ?? 'never',
      token.scopes.join(','),
    ])
    await output.table(tokens, ['ID', 'NAME', 'ENDS WITH', 'STATE', 'LAST USED', 'SCOPES'], rows)
  },
})

function stateOf({ revokedAt, expiresAt }: ApiToken): string {
  if (revokedAt !== null) return 'revoked'
  if (expiresAt === null) return 'valid'
  return Date.parse(expiresAt) <= Date.now() ? 'expired' : `until ${expiresAt}`
}

export const createToken = command({
  words: 'tokens create',
  takes: 'NAME',
  summary: 'create an API token with at most the permissions of the current one',
  details: `Prints the secret, which cannot be shown again.\nScopes: ${allScopes.join(', ')}`,
  options: {
    scopes: { type: 'string', value: 'LIST', about: "comma-separated, or '*' for all" },
    bases: { type: 'string', value: 'LIST', about: 'limit the token to these knowledge bases, by id or name' },
    expires: { type: 'string', value: 'DAYS', about: 'expiry in days (default: never)' },
    agent: { type: 'boolean', about: 'the token of an agent, whose values do not replace those of people' },
  },
  async run({ client, output, signal }, [name = ''], { scopes, bases, expires, agent }) {
    if (scopes === undefined) throw new UsageError("--scopes LIST is required; '*' stands for all scopes")
    const baseIds = bases === undefined ? undefined : await Promise.all(splitList(bases).map((given) => findBase(client, given, signal)))
    const expiresAt = expires === undefined ? undefined : new Date(Date.now() + positive(expires, '--expires') * 86_400_000).toISOString()
    const token = await client.tokens.create(
      {
        name,
        scopes: readScopes(scopes),
        ...(baseIds && { baseIds }),
        ...(expiresAt !== undefined && { expiresAt }),
        ...(agent === true && { agent }),
      },
      { signal },
    )
    await output.record(token, token.token)
    output.note(`created ${token.id}; its secret cannot be shown again`)
  },
})

export const rotateToken = command({
  words: 'tokens rotate',
  takes: 'TOKEN_ID',
  summary: 'replace the secret of an API token',
  details: 'Prints the new secret, which cannot be shown again.',
  options: { overlap: { type: 'string', value: 'SECONDS', about: 'keep the previous secret valid for this time (default: 0)' } },
  async run({ client, output, signal }, [id = ''], { overlap }) {
    const body = overlap === undefined ? {} : { overlapSeconds: positive(overlap, '--overlap') }
    const token = await client.tokens.rotate(id, body, { signal })
    await output.record(token, token.token)
    output.note(`replaced the secret of ${token.id}; it cannot be shown again`)
  },
})

export const revokeToken = command({
  words: 'tokens revoke',
  takes: 'TOKEN_ID',
  summary: 'revoke an API token permanently',
  options: {},
  async run({ client, output, signal }, [id = '']) {
    await client.tokens.delete(id, { signal })
    await output.record({ id, revoked: true }, `revoked ${id}`)
  },
})

function readScopes(list: string): Scope[] {
  if (list.trim() === '*') return [...allScopes]
  return splitList(list).map((given) => {
    const scope = allScopes.find((known) => known === given)
    if (scope !== undefined) return scope
    const meant = suggestion(given, allScopes)
    throw new UsageError(
      `unknown scope: ${given}; ${meant === undefined ? `use one of ${allScopes.join(', ')}` : `did you mean "${meant}"?`}`,
    )
  })
}

/** Splits a comma-separated list. */
export const splitList = (list: string): string[] =>
  list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** @throws UsageError */
export function positive(text: string, option: string): number {
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number) || number <= 0) throw new UsageError(`${option} must be a number above 0`)
  return number
}

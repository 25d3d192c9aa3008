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
  summary: 'make an API token that may do no more than the one in use',
  details: `Prints the secret, which is shown this once.\nScopes: ${allScopes.join(', ')}`,
  options: {
    scopes: { type: 'string', value: 'LIST', about: "comma-separated, or '*' for all" },
    bases: { type: 'string', value: 'LIST', about: 'the only knowledge bases that it may see, by id or name' },
    expires: { type: 'string', value: 'DAYS', about: 'end of its life (default: never)' },
  },
  async run({ client, output, signal }, [name = ''], { scopes, bases, expires }) {
    if (scopes === undefined) throw new UsageError("--scopes LIST says what the token may do, '*' everything")
    const baseIds = bases === undefined ? undefined : await Promise.all(listed(bases).map((given) => findBase(client, given, signal)))
    const expiresAt = expires === undefined ? undefined : new Date(Date.now() + positive(expires, '--expires') * 86_400_000).toISOString()
    const token = await client.tokens.create(
      { name, scopes: readScopes(scopes), ...(baseIds && { baseIds }), ...(expiresAt !== undefined && { expiresAt }) },
      { signal },
    )
    await output.record(token, token.token)
    output.note(`made ${token.id}; its secret is shown this once`)
  },
})

export const rotateToken = command({
  words: 'tokens rotate',
  takes: 'TOKEN_ID',
  summary: 'give an API token a new secret',
  details: 'Prints the new secret, which is shown this once.',
  options: { overlap: { type: 'string', value: 'SECONDS', about: 'how long the former secret goes on working (default: not at all)' } },
  async run({ client, output, signal }, [id = ''], { overlap }) {
    const body = overlap === undefined ? {} : { overlapSeconds: positive(overlap, '--overlap') }
    const token = await client.tokens.rotate(id, body, { signal })
    await output.record(token, token.token)
    output.note(`${token.id} has a new secret, shown this once`)
  },
})

export const revokeToken = command({
  words: 'tokens revoke',
  takes: 'TOKEN_ID',
  summary: 'end an API token, for good',
  options: {},
  async run({ client, output, signal }, [id = '']) {
    await client.tokens.delete(id, { signal })
    await output.record({ id, revoked: true }, `revoked ${id}`)
  },
})

function readScopes(list: string): Scope[] {
  if (list.trim() === '*') return [...allScopes]
  return listed(list).map((given) => {
    const scope = allScopes.find((known) => known === given)
    if (scope !== undefined) return scope
    const meant = suggestion(given, allScopes)
    throw new UsageError(
      `unknown scope: ${given}; ${meant === undefined ? `there are ${allScopes.join(', ')}` : `did you mean "${meant}"?`}`,
    )
  })
}

/** Splits a comma-separated list. */
export const listed = (list: string): string[] =>
  list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** @throws UsageError */
export function positive(text: string, option: string): number {
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number) || number <= 0) throw new UsageError(`${option} takes a number above 0`)
  return number
}

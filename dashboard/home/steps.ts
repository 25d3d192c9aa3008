import type { Scope } from '@groundwork/api'
import type { LinkProps } from '@tanstack/react-router'
import type { Overview } from './queries.ts'

export interface Step {
  name: 'base' | 'source' | 'ask' | 'connect' | 'invite'
  to: NonNullable<LinkProps['to']>
  done: boolean
}

/** Returns the steps that the role allows. Viewers get none. */
export function stepsOf({ totals, searches }: Pick<Overview, 'totals' | 'searches'>, scopes: readonly Scope[]): Step[] {
  const members = totals.members
  const all: (Step & { scope: Scope })[] = [
    { name: 'base', to: '/$organization/knowledge', scope: 'bases:write', done: (totals.bases ?? 0) > 0 },
    { name: 'source', to: '/$organization/knowledge', scope: 'sources:write', done: (totals.sources?.count ?? 0) > 0 },
    // Viewers can search too, but only users with permission to change sources need this step.
    { name: 'ask', to: '/$organization/playground', scope: 'sources:write', done: (searches?.lastAt ?? null) !== null },
    { name: 'connect', to: '/$organization/connect', scope: 'tokens:write', done: (totals.tokens ?? 0) > 0 },
    {
      name: 'invite',
      to: '/$organization/settings/members',
      scope: 'members:write',
      done: members !== null && members.count + members.invitations > 1,
    },
  ]
  return all.filter(({ scope }) => scopes.includes(scope)).map(({ name, to, done }) => ({ name, to, done }))
}

import type { Scope } from '@groundwork/api'

const presets = {
  voice: ['search:read'],
  assistant: ['search:read', 'bases:read', 'contacts:read'],
  import: ['bases:read', 'sources:read', 'sources:write'],
  intake: ['contacts:read', 'contacts:write', 'proposals:read', 'proposals:write'],
} as const satisfies Record<string, readonly Scope[]>

export type Preset = keyof typeof presets | 'reading' | 'everything' | 'own'
export const presetNames: readonly Preset[] = ['voice', 'assistant', 'import', 'intake', 'reading', 'everything', 'own']

/** The scopes of a preset, as far as who makes the token has them: nobody can grant more. */
export function scopesOf(preset: Exclude<Preset, 'own'>, granted: readonly Scope[]): readonly Scope[] {
  if (preset === 'everything') return granted
  if (preset === 'reading') return granted.filter((scope) => scope.endsWith(':read'))
  return presets[preset].filter((scope) => granted.includes(scope))
}

/** The preset that allows just this. */
export function presetOf(scopes: readonly Scope[], granted: readonly Scope[]): Preset {
  const same = (preset: Preset): boolean => preset !== 'own' && sameScopes(scopesOf(preset, granted), scopes)
  return presetNames.find(same) ?? 'own'
}

const sameScopes = (some: readonly Scope[], others: readonly Scope[]): boolean =>
  some.length === others.length && some.every((scope) => others.includes(scope))

export interface ScopeGroup {
  resource: string
  read?: Scope
  write?: Scope
}

/** Scopes by their resource, in their order. */
export function groupsOf(granted: readonly Scope[]): readonly ScopeGroup[] {
  const groups = new Map<string, ScopeGroup>()
  for (const scope of granted) {
    const [resource = '', verb] = scope.split(':')
    groups.set(resource, { ...groups.get(resource), resource, [verb === 'write' ? 'write' : 'read']: scope })
  }
  return [...groups.values()]
}

import type { Scope } from '@groundwork/api'

const presets = {
  voice: ['search:read'],
  assistant: ['search:read', 'bases:read', 'contacts:read'],
  import: ['bases:read', 'sources:read', 'sources:write'],
  intake: ['contacts:read', 'contacts:write', 'proposals:read', 'proposals:write'],
} as const satisfies Record<string, readonly Scope[]>

export type Preset = keyof typeof presets | 'reading' | 'everything' | 'own'
export const presetNames: readonly Preset[] = ['voice', 'assistant', 'import', 'intake', 'reading', 'everything', 'own']

/** Returns the scopes of a preset that the creator of the token has. No user can grant more. */
export function scopesOf(preset: Exclude<Preset, 'own'>, granted: readonly Scope[]): readonly Scope[] {
  if (preset === 'everything') return granted
  if (preset === 'reading') return granted.filter((scope) => scope.endsWith(':read'))
  return presets[preset].filter((scope) => granted.includes(scope))
}

/** Returns the preset with exactly these scopes, or `own`. */
export function presetOf(scopes: readonly Scope[], granted: readonly Scope[]): Preset {
  const matches = (preset: Preset): boolean => preset !== 'own' && sameScopes(scopesOf(preset, granted), scopes)
  return presetNames.find(matches) ?? 'own'
}

const sameScopes = (some: readonly Scope[], others: readonly Scope[]): boolean =>
  some.length === others.length && some.every((scope) => others.includes(scope))

export interface ScopeGroup {
  resource: string
  read?: Scope
  write?: Scope
}

/** Groups scopes by resource and keeps their order. */
export function groupsOf(granted: readonly Scope[]): readonly ScopeGroup[] {
  const groups = new Map<string, ScopeGroup>()
  for (const scope of granted) {
    const [resource = '', verb] = scope.split(':')
    groups.set(resource, { ...groups.get(resource), resource, [verb === 'write' ? 'write' : 'read']: scope })
  }
  return [...groups.values()]
}

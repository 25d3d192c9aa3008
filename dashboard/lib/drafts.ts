import { currentUserId, draftsKey } from './session.ts'

/** What the user has typed into forms and not saved, in session storage: it survives a reload and the end of the session. */
interface Drafts {
  user: string
  /** The values by form. */
  forms: Record<string, unknown>
}

const secret = /password|secret|token/i

/**
 * Returns the key of the draft of a form on this page, by its first values without the random keys of entries, or undefined for a
 * form with a password, a secret or a token.
 * @param label identifies the form instead of its first values, if these change with time
 */
export function draftIdOf(initial: object, label?: string): string | undefined {
  if (currentUserId() === undefined || Object.keys(initial).some((name) => secret.test(name))) return undefined
  return `${window.location.pathname} ${label ?? hashOf(JSON.stringify(initial, (key, value: unknown) => (key === 'key' ? undefined : value)))}`
}

export function readDraft<T extends object>(id: string | undefined, initial: T): T {
  const draft = id === undefined ? undefined : stored().forms[id]
  return draft === undefined ? initial : (draft as T)
}

/** Stores the values of a form, or removes its draft. */
export function writeDraft(id: string | undefined, values: object | undefined): void {
  if (id === undefined) return
  const drafts = stored()
  if (values === undefined && !(id in drafts.forms)) return
  const { [id]: _former, ...others } = drafts.forms
  const forms = values === undefined ? others : { ...others, [id]: values }
  try {
    sessionStorage.setItem(draftsKey, JSON.stringify({ user: drafts.user, forms }))
  } catch {
    // The quota of session storage is exceeded: the form works without a draft.
  }
}

/** Returns the drafts of the signed-in user. Those of another user are left behind. */
function stored(): Drafts {
  const user = currentUserId() ?? ''
  const drafts = JSON.parse(sessionStorage.getItem(draftsKey) ?? 'null') as Drafts | null
  return drafts?.user === user ? drafts : { user, forms: {} }
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0).toString(36)
}

import type { Source } from './records.ts'
import { useMay, useWorkspace } from '../lib/workspace.ts'
import { useChange } from '../shell/change.ts'
import { useConfirm } from '../shell/confirm.tsx'
import { useMessages } from '../messages/messages.ts'
import { sourceName } from './address-body.ts'
import { sourcesKeys } from './queries.ts'
import { knowledgeMessages } from './messages.ts'

interface SourceActions {
  mayWrite: boolean
  retry: () => void
  cancel: () => void
  sync: () => void
  setEnabled: (enabled: boolean) => void
  /** Asks for confirmation first. */
  remove: () => Promise<void>
  busy: boolean
}

/** The actions on a source. Each refreshes all views of sources. */
export function useSourceActions(source: Pick<Source, 'baseId' | 'id' | 'name' | 'url' | 'title'>, onDeleted?: () => void): SourceActions {
  const { baseId, id } = source
  const name = sourceName(source)
  const { sources: words } = useMessages(knowledgeMessages)
  const workspace = useWorkspace()
  const confirm = useConfirm()
  const api = workspace.client.bases.sources
  const invalidates = () => sourcesKeys(workspace, baseId)
  const act = useChange((verb: 'retry' | 'cancel' | 'sync') => api[verb](baseId, id), {
    invalidates,
    refusals: { conflict: words.statusChanged },
  })
  const update = useChange((enabled: boolean) => api.update(baseId, id, { enabled }), { invalidates })
  const remove = useChange(() => api.delete(baseId, id), { invalidates, done: words.deleted(name), onDone: () => onDeleted?.() })
  return {
    mayWrite: useMay('sources:write'),
    retry: () => act.mutate('retry'),
    cancel: () => act.mutate('cancel'),
    sync: () => act.mutate('sync'),
    setEnabled: (enabled) => update.mutate(enabled),
    async remove() {
      if (await confirm({ title: words.deleteTitle(name), body: words.deleteHelp, action: words.delete })) remove.mutate()
    },
    busy: act.isPending || update.isPending || remove.isPending,
  }
}

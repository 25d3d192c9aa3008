import type { Source } from './records.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { BulkActions, namesIn } from '../shell/list/bulk-actions.tsx'
import { useMessages } from '../messages/messages.ts'
import { sourceName } from './address-body.ts'
import { sourcesKeys } from './queries.ts'
import { reasonsOf } from './source-reasons.ts'
import { knowledgeMessages } from './messages.ts'

/** The actions on selected sources of one knowledge base. */
export function SourceBulkActions({ sources, onDone }: { sources: readonly Source[]; onDone: () => void }) {
  const { sources: words } = useMessages(knowledgeMessages)
  const workspace = useWorkspace()
  const api = workspace.client.bases.sources
  const refusals = { conflict: words.statusChanged }
  return (
    <BulkActions
      rows={sources}
      nameOf={sourceName}
      onDone={onDone}
      invalidates={sources.slice(0, 1).flatMap(({ baseId }) => sourcesKeys(workspace, baseId))}
      actions={[
        {
          label: words.retry,
          appliesTo: (source) => reasonsOf(source).retry === undefined,
          run: ({ baseId, id }) => api.retry(baseId, id),
          done: words.retried,
          refusals,
        },
        {
          label: words.sync,
          appliesTo: (source) => reasonsOf(source).sync === undefined,
          run: ({ baseId, id }) => api.sync(baseId, id),
          done: words.syncing,
          refusals,
        },
        {
          label: words.enable,
          appliesTo: ({ enabled }) => !enabled,
          run: ({ baseId, id }) => api.update(baseId, id, { enabled: true }),
          done: words.enabled,
        },
        {
          label: words.disable,
          appliesTo: ({ enabled }) => enabled,
          run: ({ baseId, id }) => api.update(baseId, id, { enabled: false }),
          done: words.disabled,
        },
        {
          label: words.deleteSelected,
          run: ({ baseId, id }) => api.delete(baseId, id),
          question: (rows) => ({
            title: words.deleteCount(rows.length),
            body: words.deleteManyHelp(namesIn(rows.map(sourceName))),
            action: words.deleteSelected,
          }),
          done: words.deletedCount,
          isDangerous: true,
        },
      ]}
    />
  )
}

import '@mantine/core/styles/Switch.css'
import { Stack, Switch } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMay, useWorkspace } from '../lib/workspace.ts'
import { useChange } from '../shell/change.ts'
import { FormDialog } from '../shell/form-dialog.tsx'
import { sentBy, useForm } from '../shell/form.ts'
import { ReasonedButton } from '../shell/reasoned-button.tsx'
import { EmptyState, Loaded, SkeletonRows } from '../shell/states.tsx'
import { useMessages } from '../messages/messages.ts'
import { ChunkingFields, chunkingBody, type Chunking } from './chunking-fields.tsx'
import { PartHead } from './part-head.tsx'
import { baseKey, baseQuery, reindexesQuery } from './queries.ts'
import type { Base } from './records.ts'
import { ReindexCard } from './reindex-card.tsx'
import { knowledgeMessages } from './messages.ts'

const route = getRouteApi('/$organization/knowledge/$baseId/reindex')

/** Lists the re-indexes of a knowledge base and starts new ones. */
export function ReindexPage() {
  const { reindex: words } = useMessages(knowledgeMessages)
  const workspace = useWorkspace()
  const { baseId } = route.useParams()
  const base = useQuery(baseQuery(workspace, baseId))
  const query = useQuery(reindexesQuery(workspace, baseId))
  const mayWrite = useMay('bases:write')
  const [starting, { open, close }] = useDisclosure()
  const isOpen = query.data?.data.some(({ status }) => status === 'building' || status === 'ready') ?? false
  return (
    <Stack gap="lg">
      <PartHead about={words.about}>
        {mayWrite && base.data !== undefined && (
          <ReasonedButton
            leftSection={<IconRefresh size={16} aria-hidden />}
            onClick={open}
            reason={isOpen ? words.isRunning : base.data.stats.chunks === 0 ? words.nothingToIndex : undefined}
          >
            {words.start}
          </ReasonedButton>
        )}
      </PartHead>
      <Loaded query={query} skeleton={<SkeletonRows rows={3} height={120} />}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState icon={IconRefresh} title={words.emptyTitle}>
              {words.emptyHelp}
            </EmptyState>
          ) : (
            data.map((reindex) => <ReindexCard key={reindex.id} reindex={reindex} />)
          )
        }
      </Loaded>
      {starting && base.data !== undefined && <StartReindex base={base.data} onClose={close} />}
    </Stack>
  )
}

const fields = ['chunkingStrategy', 'chunkSize', 'chunkOverlap']

function StartReindex({ base, onClose }: { base: Base; onClose: () => void }) {
  const { reindex: words } = useMessages(knowledgeMessages)
  const workspace = useWorkspace()
  const { chunkingStrategy, chunkSize, chunkOverlap } = base.ragSettings
  const form = useForm<Chunking & { switchWhenReady: boolean }>({ chunkingStrategy, chunkSize, chunkOverlap, switchWhenReady: false })
  const start = useChange(
    (values: typeof form.values) =>
      workspace.client.bases.reindexes.create(base.id, { ...chunkingBody(values), switchWhenReady: values.switchWhenReady }),
    {
      invalidates: () => [baseKey(workspace, base.id)],
      done: words.started,
      refusals: { conflict: words.isRunning },
      notifyFailure: false,
      onDone: onClose,
    },
  )
  return (
    <FormDialog title={words.start} onClose={onClose} {...sentBy(form, start)} action={words.start} fields={fields}>
      <ChunkingFields form={form} path="" disabled={false} />
      <Switch label={words.switchWhenReady} description={words.switchWhenReadyHelp} {...form.flag('switchWhenReady')} />
    </FormDialog>
  )
}

import { Alert, Button, Group } from '@mantine/core'
import { IconFlask } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useMay, useWorkspace } from '../../lib/workspace.ts'
import { useChange } from '../../shell/change.ts'
import { useConfirm } from '../../shell/confirm.tsx'
import { useMessages } from '../../messages/messages.ts'
import { basesKey } from '../queries.ts'
import { sampleMessages } from './messages.ts'

/** Tells that the knowledge base is the sample, and removes it after one question. */
export default function SampleNote({ baseId }: { baseId: string }) {
  const messages = useMessages(sampleMessages)
  const workspace = useWorkspace()
  const confirm = useConfirm()
  const navigate = useNavigate()
  const mayRemove = useMay('bases:write')
  const remove = useChange(() => workspace.client.bases.delete(baseId), {
    done: messages.removed,
    onDone: () => void navigate({ to: '/$organization/knowledge', params: { organization: workspace.organization.slug } }),
    invalidates: () => [basesKey(workspace)],
  })
  const ask = async (): Promise<void> => {
    if (await confirm({ title: messages.removeTitle, body: messages.removeHelp, action: messages.remove })) remove.mutate()
  }
  return (
    <Alert color="gray" icon={<IconFlask aria-hidden />}>
      <Group justify="space-between" gap="sm">
        {messages.note}
        {mayRemove && (
          <Button variant="default" loading={remove.isPending} onClick={() => void ask()}>
            {messages.remove}
          </Button>
        )}
      </Group>
    </Alert>
  )
}

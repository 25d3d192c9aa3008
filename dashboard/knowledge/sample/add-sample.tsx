import { Button, Group, Text } from '@mantine/core'
import { IconFlask } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useWorkspace, type Workspace } from '../../lib/workspace.ts'
import { useChange } from '../../shell/change.ts'
import { useMessages } from '../../messages/messages.ts'
import { basesKey } from '../queries.ts'
import { sampleFiles } from './files.ts'
import { sampleMessages } from './messages.ts'

/** A button that creates the sample knowledge base and opens it. */
export default function AddSample() {
  const messages = useMessages(sampleMessages)
  const workspace = useWorkspace()
  const navigate = useNavigate()
  const [added, setAdded] = useState(0)
  const change = useChange(
    async () => {
      const { id } = await workspace.client.bases.create({ name: messages.name, description: messages.description })
      for (const [index, file] of sampleFiles.entries()) {
        setAdded(index)
        await addFile(workspace, id, file)
      }
      return id
    },
    {
      invalidates: () => [basesKey(workspace), [workspace.organization.id, 'overview']],
      onDone: (baseId) =>
        void navigate({ to: '/$organization/knowledge/$baseId/sources', params: { organization: workspace.organization.slug, baseId } }),
    },
  )
  return (
    <Group gap="sm">
      <Button
        variant="default"
        leftSection={<IconFlask size={16} aria-hidden />}
        loading={change.isPending}
        onClick={() => change.mutate()}
      >
        {messages.add}
      </Button>
      <Text size="sm" c="dimmed" role="status">
        {change.isPending ? messages.adding(added + 1, sampleFiles.length) : messages.help}
      </Text>
    </Group>
  )
}

async function addFile({ client }: Workspace, baseId: string, { url, fileName, name, type }: (typeof sampleFiles)[number]): Promise<void> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${fileName}: ${response.status}`)
  const { storageUrl } = await client.uploads.create(new File([await response.arrayBuffer()], fileName, { type }), { type })
  await client.bases.sources.create(baseId, { type: 'file', name, storageUrl })
}

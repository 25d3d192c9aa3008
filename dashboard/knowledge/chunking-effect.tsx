import { hasPages, sourceTypeFacts } from '@groundwork/api/source-types'
import type { Groundwork } from '@groundwork/sdk'
import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { rowsOf } from '../lib/pages.ts'
import { useMay, useWorkspace } from '../lib/workspace.ts'
import { FormFailure } from '../shell/form-failure.tsx'
import { useMessages } from '../messages/messages.ts'
import type { Chunking } from './chunking-fields.tsx'
import { PreviewResult } from './preview-result.tsx'
import { sourcesQuery } from './queries.ts'
import type { Base, Source } from './records.ts'
import { knowledgeMessages } from './messages.ts'

/** The maximum length of `text` in a preview request. */
const maxTextLength = 500_000

/** Previews the chunks of a document with other settings. */
export function ChunkingEffect({ baseId, chunking }: { baseId: string; chunking: Pick<Base['ragSettings'], keyof Chunking> }) {
  const { settings: words, preview: previewWords } = useMessages(knowledgeMessages)
  const workspace = useWorkspace()
  const { client } = workspace
  const mayPreview = useMay('sources:write')
  const query = useInfiniteQuery(sourcesQuery(workspace, baseId, { status: 'completed' }))
  const [chosen, choose] = useState<string | null>(null)
  const documents = query.data === undefined ? [] : rowsOf(query.data).filter(({ type }) => !hasPages(type))
  const document = documents.find(({ id }) => id === chosen) ?? documents[0]
  const preview = useMutation({
    mutationFn: async (source: Source) =>
      client.bases.preview(baseId, { ...(await contentOf(client, source)), ragSettingsOverride: chunking }),
  })
  if (!mayPreview) return null
  if (document === undefined) {
    return (
      <Text size="sm" c="dimmed">
        {words.noDocument}
      </Text>
    )
  }
  return (
    <Stack gap="sm" className="figure">
      <Text size="sm">{words.effectHelp}</Text>
      <Group align="flex-end">
        <Select
          label={words.document}
          data={documents.map(({ id, name }) => ({ value: id, label: name }))}
          value={document.id}
          onChange={(value) => {
            choose(value)
            preview.reset()
          }}
          allowDeselect={false}
          searchable
          flex={1}
        />
        <Button variant="default" loading={preview.isPending} onClick={() => preview.mutate(document)}>
          {words.effect}
        </Button>
      </Group>
      <FormFailure error={preview.error} fields={[]} />
      {preview.data && (
        <>
          <Text size="sm" fw={600} role="status">
            {words.change(previewWords.chunks(document.chunksCount), previewWords.chunks(preview.data.chunksCount))}
          </Text>
          <PreviewResult preview={preview.data} />
        </>
      )}
    </Stack>
  )
}

/** Returns the original content of a source. Videos have no original, so their extracted text is used. */
async function contentOf(
  client: Groundwork,
  { id, baseId, type, storageUrl, url }: Source,
): Promise<{ storageUrl: string } | { url: string } | { text: string }> {
  const { previewed } = sourceTypeFacts[type]
  if (previewed === 'storageUrl' && storageUrl !== undefined) return { storageUrl }
  if (previewed === 'url' && url !== undefined) return { url }
  const { text } = await client.bases.sources.content(baseId, id)
  return { text: text.slice(0, maxTextLength) }
}

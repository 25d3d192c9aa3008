import '@mantine/dropzone/styles.css'
import { Alert, Box, Button, Progress, Stack, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { IconUpload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { messageOf } from '../../lib/errors.ts'
import { sendFile } from '../../lib/send-file.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { useMessages } from '../../messages/messages.ts'
import { fileProblem } from './check-file.ts'
import { importMessages } from './messages.ts'
import { uploadIdOf } from './search.ts'

const route = getRouteApi('/$organization/contacts/import')

/** Uploads a file and lets a dry run recognize its columns. */
export function FileStep() {
  const messages = useMessages(importMessages)
  const { client } = useWorkspace()
  const navigate = route.useNavigate()
  const choose = useRef<() => void>(null)
  const [problem, setProblem] = useState<string>()
  const [sentBytes, setSentBytes] = useState(0)
  const send = useMutation({
    mutationFn: async (file: File) => {
      const { storageUrl } = await sendFile(client, file, { signal: new AbortController().signal, onProgress: setSentBytes })
      const { id } = await client.contactImports.create({ storageUrl, dryRun: true })
      return { upload: uploadIdOf(storageUrl), check: id }
    },
  })
  const take = (files: File[]): void => {
    const [file] = files
    const found = file === undefined || files.length > 1 ? messages.oneFile : fileProblem(file, messages)
    setProblem(found)
    if (file === undefined || found !== undefined) return
    setSentBytes(0)
    send.mutate(file, { onSuccess: (search) => void navigate({ search }) })
  }
  const failure = problem ?? (send.error === null ? undefined : messageOf(send.error))
  return (
    <Stack gap="md">
      <Dropzone
        openRef={choose}
        onDrop={take}
        onReject={() => setProblem(messages.oneFile)}
        multiple={false}
        disabled={send.isPending}
        activateOnKeyboard
        useFsAccessApi={false}
        aria-label={messages.drop}
        inputProps={{ 'aria-label': messages.steps.file }}
      >
        <Box ta="center" py="xl">
          <Text>{messages.drop}</Text>
          <Text size="sm" c="dimmed">
            {messages.dropHelp}
          </Text>
        </Box>
      </Dropzone>
      {send.isPending ? (
        <Box role="status">
          <Text size="sm" mb={4} className="wrap">
            {messages.sending(send.variables.name)}
          </Text>
          <Progress value={(sentBytes / send.variables.size) * 100} aria-label={messages.sending(send.variables.name)} />
        </Box>
      ) : (
        <Button className="at-start" leftSection={<IconUpload size={16} aria-hidden />} onClick={() => choose.current?.()}>
          {messages.choose}
        </Button>
      )}
      {!send.isPending && failure !== undefined && (
        <Alert color="red" role="alert">
          {failure}
        </Alert>
      )}
    </Stack>
  )
}

import { Button, Code, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { CopyButton } from '../shell/copy-button.tsx'
import { useMessages } from '../messages/messages.ts'
import { accountMessages } from './account-messages.ts'

export function BackupCodes({ codes, onSaved }: { codes: readonly string[]; onSaved: () => void }) {
  const { twoFactor: words } = useMessages(accountMessages)
  return (
    <Stack>
      <Title order={3} size="h4">
        {words.codes}
      </Title>
      <Text>{words.codesHelp}</Text>
      <SimpleGrid component="ul" cols={2} p={0} m={0} className="plain-list">
        {codes.map((code) => (
          <li key={code}>
            <Code>{code}</Code>
          </li>
        ))}
      </SimpleGrid>
      <Group>
        <CopyButton value={codes.join('\n')} name={words.codes} label={words.copyCodes} />
        <Button onClick={onSaved}>{words.saved}</Button>
      </Group>
    </Stack>
  )
}

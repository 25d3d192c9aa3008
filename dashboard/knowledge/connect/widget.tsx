import { Anchor, Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import type { GuideName } from '../../lib/guides.ts'
import { useMay, useWorkspace } from '../../lib/workspace.ts'
import { useMessages } from '../../messages/messages.ts'
import { useChange } from '../../shell/change.ts'
import { CopyableCode } from '../../shell/copyable-code.tsx'
import { useForm } from '../../shell/form.ts'
import { connectMessages } from './messages.ts'
import { siteOrigin } from './site-origin.ts'
import { widgetSnippet } from './snippets.ts'

/** Creates a publishable token for a website, and shows the script of the search widget. */
export function Widget({ base }: { base: { id: string } }) {
  const messages = useMessages(connectMessages)
  const { client, organization } = useWorkspace()
  const form = useForm({ address: '' })
  const [isInvalid, setInvalid] = useState(false)
  const change = useChange(
    (site: string) =>
      client.tokens.create({
        name: messages.widgetName(new URL(site).host),
        scopes: ['search:read'],
        baseIds: [base.id],
        publishable: { origins: [site] },
      }),
    { invalidates: () => [[organization.id, 'tokens']] },
  )
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const site = siteOrigin(form.values.address)
    setInvalid(site === null)
    if (site !== null) change.mutate(site, { onSuccess: () => form.reset() })
  }
  if (!useMay('tokens:write')) return null
  return (
    <Paper component="section" withBorder p="md" aria-labelledby="connect-widget">
      <Stack gap="sm">
        <Title order={2} size="h4" id="connect-widget">
          {messages.widgetTitle}
        </Title>
        <Text size="sm">{messages.widgetHelp}</Text>
        {change.data === undefined ? (
          <form onSubmit={submit} noValidate>
            <Group align="flex-end" gap="sm">
              <TextInput
                flex={1}
                miw={240}
                label={messages.site}
                description={messages.siteHelp}
                inputMode="url"
                autoComplete="url"
                {...form.text('address')}
                error={isInvalid && messages.invalidSite}
              />
              <Button type="submit" variant="default" loading={change.isPending}>
                {messages.createWidget}
              </Button>
            </Group>
          </form>
        ) : (
          <Stack gap="xs" role="status">
            <Text size="sm">{messages.paste}</Text>
            <CopyableCode name={messages.widgetCode} code={widgetSnippet({ origin: window.location.origin, token: change.data.token })} />
          </Stack>
        )}
        <Anchor size="sm" href={`/docs/${'widget' satisfies GuideName}`} target="_blank">
          {messages.widgetGuide}
        </Anchor>
      </Stack>
    </Paper>
  )
}

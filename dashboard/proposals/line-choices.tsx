import { Autocomplete, Checkbox, Group, SimpleGrid } from '@mantine/core'
import { useMessages } from '../messages/messages.ts'
import { DecimalInput } from '../shell/decimal-input.tsx'
import type { DraftItem } from './draft-item.ts'
import type { LineProps } from './line-editor.tsx'
import { proposalMessages } from './messages.ts'

type Range = NonNullable<DraftItem['quantityRange']>

const bounds = ['min', 'max', 'step'] as const

/** Edits what the client may choose: the line, one of several lines, and the quantity. */
export function LineChoices({ item, groups, onChange, errorOf }: LineProps & { groups: readonly string[] }) {
  const { form: words } = useMessages(proposalMessages)
  const { optional, preselected, group, quantity, quantityRange } = item
  const changeRange = (range: Range | null): void => onChange({ ...item, quantityRange: range })
  return (
    <>
      <Group>
        <Checkbox
          label={words.optional}
          checked={optional}
          onChange={({ currentTarget: { checked } }) => onChange({ ...item, optional: checked })}
        />
        {optional && (
          <Checkbox
            label={words.preselected}
            checked={preselected}
            error={errorOf('preselected')}
            onChange={({ currentTarget: { checked } }) => onChange({ ...item, preselected: checked })}
          />
        )}
        <Checkbox
          label={words.quantityRange}
          checked={quantityRange !== null}
          onChange={({ currentTarget: { checked } }) => changeRange(checked ? { min: '1', max: quantity, step: '1' } : null)}
        />
      </Group>
      {optional && (
        <Autocomplete
          label={words.group}
          description={words.groupHelp}
          data={[...groups]}
          value={group}
          maxLength={60}
          onChange={(value) => onChange({ ...item, group: value })}
          error={errorOf('group')}
        />
      )}
      {quantityRange !== null && (
        <SimpleGrid cols={3} spacing="xs">
          {bounds.map((bound) => (
            <DecimalInput
              key={bound}
              label={words.bounds[bound]}
              required
              value={quantityRange[bound]}
              onChange={(value) => changeRange({ ...quantityRange, [bound]: value })}
              error={errorOf(`quantityRange.${bound}`) ?? (bound === 'min' ? errorOf('quantityRange') : undefined)}
            />
          ))}
        </SimpleGrid>
      )}
    </>
  )
}

import { useId, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { CheckField, TextField } from '../../../components/field.tsx';
import { Loaded } from '../../../components/states.tsx';
import type { Outputs } from '../../../lib/trpc.ts';
import type { FieldSlot } from '../../../operation/operation-form.tsx';
import { useEventTypes } from './use-endpoints.ts';

type EventType = Outputs['eventTypes']['list']['data'][number];

export interface EventChoice {
  all: boolean;
  events: readonly string[];
}

interface EventsPickerProps extends EventChoice {
  onChange: (next: EventChoice) => void;
  error?: string | undefined;
}

function groupsOf(types: readonly EventType[], search: string): Map<string, EventType[]> {
  const words = search.toLowerCase().split(/\s+/);
  const found = types.filter(({ type, description, group }) => {
    const text = `${type} ${description} ${group}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return Map.groupBy(found, ({ group }) => group);
}

export function eventsField(
  name: 'events' | 'types',
  choice: EventChoice,
  onChange: (next: EventChoice) => void,
): FieldSlot {
  return {
    slot: (errorOf) => <EventsPicker {...choice} onChange={onChange} error={errorOf(name)} />,
    read() {
      if (!choice.all && choice.events.length === 0) return { fault: 'Select at least one event type.' };
      // An empty subscription is one to all events; a replay of all events has no types.
      return { value: choice.all ? (name === 'events' ? [] : null) : choice.events };
    },
  };
}

function EventsPicker({ all, events, onChange, error }: EventsPickerProps): React.JSX.Element {
  const id = useId();
  const types = useEventTypes();
  return (
    <fieldset
      className="flex min-w-0 flex-col gap-2"
      aria-describedby={error === undefined ? undefined : `${id}-error`}
    >
      <legend className="mb-1 text-sm font-medium">Events</legend>
      <RadioList
        value={all ? 'all' : 'selected'}
        onChange={(value) => onChange({ all: value === 'all', events })}
        choices={[
          ['all', 'All events, including future types'],
          ['selected', 'Select event types'],
        ]}
      />
      {error !== undefined && (
        <p id={`${id}-error`} className="text-xs text-bad">
          {error}
        </p>
      )}
      {!all && (
        <Loaded query={types} label="Loading event types">
          {({ data }) => (
            <TypeList types={data} events={events} onChange={(next) => onChange({ all: false, events: next })} />
          )}
        </Loaded>
      )}
    </fieldset>
  );
}

interface RadioListProps<Value extends string> {
  value: Value;
  onChange: (value: Value) => void;
  choices: ReadonlyArray<readonly [value: Value, label: string]>;
}

export function RadioList<Value extends string>({ value, onChange, choices }: RadioListProps<Value>) {
  const name = useId();
  return choices.map(([choice, label]) => (
    <label key={choice} className="flex items-center gap-2 text-sm">
      <input
        type="radio"
        name={name}
        checked={choice === value}
        onChange={() => onChange(choice)}
        className="size-4 accent-accent"
      />
      {label}
    </label>
  ));
}

interface TypeListProps {
  types: readonly EventType[];
  events: readonly string[];
  onChange: (next: readonly string[]) => void;
}

function TypeList({ types, events, onChange }: TypeListProps): React.JSX.Element {
  const [search, setSearch] = useState('');
  const groups = groupsOf(types, search);
  const select = (names: readonly string[], on: boolean): void => {
    const rest = events.filter((name) => !names.includes(name));
    onChange(on ? [...rest, ...names] : rest);
  };
  return (
    <div className="flex flex-col gap-2 rounded-md border p-3">
      <TextField
        label="Search event types"
        type="search"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <p role="status" className="text-xs text-muted">
        {events.length} of {types.length} types selected
      </p>
      <div
        tabIndex={0}
        role="region"
        aria-label="Event types"
        className="flex max-h-80 min-w-0 flex-col gap-4 overflow-y-auto wrap-anywhere"
      >
        {groups.size === 0 && <p className="text-sm text-muted">No event types match.</p>}
        {[...groups].map(([group, entries]) => (
          <TypeGroup key={group} group={group} entries={entries} events={events} onSelect={select} />
        ))}
      </div>
    </div>
  );
}

interface TypeGroupProps {
  group: string;
  entries: readonly EventType[];
  events: readonly string[];
  onSelect: (names: readonly string[], on: boolean) => void;
}

function TypeGroup({ group, entries, events, onSelect }: TypeGroupProps): React.JSX.Element {
  const names = entries.map(({ type }) => type);
  const isWhole = names.every((name) => events.includes(name));
  return (
    <div role="group" aria-label={group} className="flex flex-col gap-2">
      <div className="flex items-center justify-between gap-2">
        <p className="text-xs font-semibold text-muted">{group}</p>
        <Button
          size="small"
          variant="quiet"
          onClick={() => onSelect(names, !isWhole)}
          aria-label={`${isWhole ? 'Clear' : 'Select'} all of ${group}`}
        >
          {isWhole ? 'Clear all' : 'Select all'}
        </Button>
      </div>
      {entries.map(({ type, description, emitted }) => (
        <CheckField
          key={type}
          label={type}
          hint={emitted ? description : `${description} Not emitted yet.`}
          checked={events.includes(type)}
          onChange={(event) => onSelect([type], event.target.checked)}
        />
      ))}
    </div>
  );
}

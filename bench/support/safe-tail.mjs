/**
 * The plain window to compare with: system prompt, latest user message, then the newest whole call groups that fit.
 * A call has exactly one result in its group, so that providers accept the view.
 */
export function safeTail(messages, { window, count }) {
  const [system, ...rest] = toGroups(messages);
  const latest = rest.findLastIndex(([first]) => first.role === "user");
  const size = (group) => group.reduce((sum, message) => sum + count(message), 0);
  let left = window - size(system) - size(rest[latest]);
  let start = rest.length;
  for (; start > 0; start--) {
    const tokens = start - 1 === latest ? 0 : size(rest[start - 1]);
    if (tokens > left) break;
    left -= tokens;
  }
  return [...system, ...(start > latest ? rest[latest] : []), ...rest.slice(start).flat()];
}

function toGroups(messages) {
  const groups = [];
  for (let at = 0; at < messages.length; ) {
    const message = messages[at++];
    const results = new Map();
    for (; messages[at]?.role === "tool"; at++) {
      if (!results.has(messages[at].tool_call_id)) results.set(messages[at].tool_call_id, messages[at]);
    }
    groups.push([message, ...(message.tool_calls ?? []).map((call) => results.get(call.id) ?? noResult(call))]);
  }
  return groups;
}

const noResult = (call) => ({ role: "tool", tool_call_id: call.id, content: "[no result]" });

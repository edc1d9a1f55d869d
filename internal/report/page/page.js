'use strict';

// The script makes the list of cells filter and sort, and shows the transcript of
// the cell that the address names. All text it handles is hostile: it reaches the
// document as text nodes and nothing else.
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const overview = document.getElementById('overview');
  const detail = document.getElementById('detail');
  const pageTitle = document.title;

  // text returns a field of the data: a string, or the index of a shared one.
  const text = (field) => typeof field === 'number' ? data.texts[field] : field ?? '';

  // el makes an element. Children are nodes, strings, or lists of both.
  function el(name, attributes, ...children) {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes ?? {})) {
      if (value !== undefined && value !== null && value !== false) node.setAttribute(key, value);
    }
    node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== ''));
    return node;
  }

  function button(name, action) {
    const node = el('button', {type: 'button'}, name);
    node.addEventListener('click', action);
    return node;
  }

  // ---- Hidden characters ----------------------------------------------------

  // hidden matches what report.Sanitize escapes, except for line breaks and tabs:
  // characters that are not graphic or show nothing, the marks that follow them,
  // marks without a base, and a fifth mark in a row. The selector that only makes
  // a pictograph colourful is let through.
  const hidden = /(?!(?<=\p{Extended_Pictographic})\uFE0F|[\n\t])[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Variation_Selector}]\p{M}*|(?<![^\n\t])\p{M}+|(?<=(?!\p{Variation_Selector})\p{M}{4})\p{M}+/gu;

  // escape writes a character as report.Sanitize does.
  function escape(character) {
    const named = {'\n': '\\n', '\r': '\\r', '\t': '\\t'}[character];
    if (named) return named;
    const code = character.codePointAt(0);
    const hex = code.toString(16);
    if (code < 0x80) return '\\x' + hex.padStart(2, '0');
    return code <= 0xffff ? '\\u' + hex.padStart(4, '0') : '\\U' + hex.padStart(8, '0');
  }

  const escapeAll = (s) => Array.from(s, escape).join('');

  // visible returns nodes in which every hidden character is a marked escape.
  function visible(s) {
    const nodes = [];
    let from = 0;
    for (const match of s.matchAll(hidden)) {
      nodes.push(s.slice(from, match.index), el('span', {class: 'esc'}, escapeAll(match[0])));
      from = match.index + match[0].length;
    }
    nodes.push(s.slice(from));
    return nodes.filter((node) => node !== '');
  }

  // label is visible for one line, as a string.
  const label = (s) => s.replace(hidden, escapeAll).replace(/[\n\t]/g, escape);

  // ---- JSON -----------------------------------------------------------------

  const lineLength = 76; // a JSON value of fewer characters stays on its line

  // skipString returns the position of the quote that ends the string at i.
  function skipString(json, i) {
    for (i++; i < json.length && json[i] !== '"'; i++) if (json[i] === '\\') i++;
    return i;
  }

  // closings maps the position of each bracket of a JSON text to its partner's.
  function closings(json) {
    const partner = new Map();
    const opened = [];
    for (let i = 0; i < json.length; i++) {
      if (json[i] === '"') i = skipString(json, i);
      else if (json[i] === '{' || json[i] === '[') opened.push(i);
      else if (json[i] === '}' || json[i] === ']') partner.set(opened.pop(), i);
    }
    return partner;
  }

  // breaks returns the edits that lay out a JSON text in lines: [position, number
  // of characters to drop, text to put]. It never touches a string, and works on
  // the text so that numbers, order and duplicate keys stay as they were written.
  function breaks(json) {
    const partner = closings(json);
    const edits = [];
    const line = (depth) => '\n' + '  '.repeat(Math.min(depth, 40));
    let depth = 0;
    let inline = -1; // end of the value that stays on its line
    for (let i = 0; i < json.length; i++) {
      const c = json[i];
      if (c === '"') {
        i = skipString(json, i);
      } else if (c === ' ') {
        edits.push([i, 1, '']);
      } else if (c === ':') {
        edits.push([i + 1, 0, ' ']);
      } else if (i < inline) {
        if (c === ',') edits.push([i + 1, 0, ' ']);
      } else if (c === '{' || c === '[') {
        if (partner.get(i) - i < lineLength) inline = partner.get(i);
        else edits.push([i + 1, 0, line(++depth)]);
      } else if ((c === '}' || c === ']') && i !== inline) {
        edits.push([i, 0, line(--depth)]);
      } else if (c === ',') {
        edits.push([i + 1, 0, line(depth)]);
      }
    }
    return edits;
  }

  function edit(s, edits, from, to) {
    let out = '';
    let at = from;
    for (const [position, drop, put] of edits) {
      if (position < from) continue;
      if (position > to || (position === to && (drop || to < s.length))) break;
      out += s.slice(at, position) + put;
      at = position + drop;
    }
    return out + s.slice(at, to);
  }

  // pretty lays out a JSON text; a short one stays on its line.
  const pretty = (json) => edit(json, breaks(json), 0, json.length);

  // layout returns the edits for a text that is JSON on one line, else none.
  function layout(s) {
    if (s.length < lineLength || !/^[[{]/.test(s) || s.includes('\n')) return [];
    try {
      JSON.parse(s);
    } catch {
      return [];
    }
    return breaks(s);
  }

  // ---- Texts with injected spans --------------------------------------------

  // offset returns the position of a code point in a string.
  function offset(s, points) {
    let at = 0;
    for (; points > 0 && at < s.length; points--) at += s.codePointAt(at) > 0xffff ? 2 : 1;
    return at;
  }

  // marked returns nodes of s with the attacker's spans marked, after edits.
  function marked(s, spans, edits) {
    const nodes = [];
    let at = 0;
    for (const span of [...spans ?? []].sort((a, b) => a.start - b.start)) {
      const start = Math.max(at, offset(s, span.start));
      const end = offset(s, span.end);
      if (end <= start) continue;
      const title = [text(span.attack), text(span.point)].filter(Boolean).map(label).join(' at ');
      nodes.push(visible(edit(s, edits, at, start)), el('mark', {title}, visible(edit(s, edits, start, end))));
      at = end;
    }
    nodes.push(visible(edit(s, edits, at, s.length)));
    return nodes;
  }

  // block shows a long text: folded when it is long and nothing in it is marked,
  // JSON laid out in lines with a way back to the exact text.
  function block(caption, s, spans, kind) {
    const edits = layout(s);
    const body = el(kind === 'code' ? 'pre' : 'div', {class: kind}, marked(s, spans, edits));
    const head = caption || edits.length ? el('p', {class: 'caption'}, caption) : null;
    if (edits.length) {
      const toggle = button('exact text', () => {
        const exact = toggle.getAttribute('aria-pressed') !== 'true';
        toggle.setAttribute('aria-pressed', exact);
        body.replaceChildren(...marked(s, spans, exact ? [] : edits).flat());
      });
      toggle.setAttribute('aria-pressed', 'false');
      head.append(toggle);
    }
    const lines = s.split('\n').length + edits.filter(([, , put]) => put.startsWith('\n')).length;
    const long = s.length > 3000 || lines > 40;
    if (!long || spans?.length) return [head, body];
    body.classList.add('folded');
    const more = button(`Show all ${s.length.toLocaleString('en')} characters`, () => {
      body.classList.remove('folded');
      more.remove();
    });
    more.className = 'more';
    return [head, body, more];
  }

  // ---- Small parts ----------------------------------------------------------

  const outcomes = {
    pass: ['good', '✓'], fail: ['bad', '✗'], success: ['bad', '●'], resisted: ['good', '✓'],
    not_exposed: ['dull', '○'], unassessed: ['odd', '?'],
    allow: ['good', '✓'], block: ['bad', '⊘'], error: ['odd', '!'], unparsed: ['odd', '?'],
  };

  function outcome(word, shown) {
    const [kind, sign] = outcomes[word] ?? ['odd', '?'];
    return el('span', {class: 'outcome ' + kind}, el('span', {class: 'sign', 'aria-hidden': 'true'}, sign), ' ',
      shown ?? label(word.replace(/_/g, ' ')));
  }

  const count = (n) => n.toLocaleString('en');
  const plural = (n, noun) => `${count(n)} ${noun}${n === 1 ? '' : 's'}`;
  const dollars = (f) => '$' + f.toFixed(f < 1 ? 4 : 2);
  const time = (s) => s < 1 ? `${Math.round(s * 1000)} ms` : `${s.toFixed(1)} s`;

  function usage(u, latency) {
    const parts = [];
    if (u?.requests > 1) parts.push(plural(u.requests, 'request'));
    if (u?.input) parts.push(`${count(u.input)} tokens in` + (u.cached ? ` (${count(u.cached)} cached)` : ''));
    if (u?.output) parts.push(`${count(u.output)} out` + (u.reasoning ? ` (${count(u.reasoning)} reasoning)` : ''));
    if (u?.cost) parts.push(dollars(u.cost));
    if (latency) parts.push(time(latency / 1e9));
    return parts.join(' · ');
  }

  function facts(pairs) {
    return el('dl', {class: 'facts'}, pairs.filter(([, value]) => value !== '' && value !== undefined && value !== null)
      .map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, typeof value === 'string' ? visible(value) : value))));
  }

  const address = (cell, place) => '#cell=' + encodeURIComponent(cell.id) +
    (place ? `&step=${place.step + 1}` + (place.call !== undefined ? `.${place.call + 1}` : '') : '');

  const placeLink = (cell, place) => el('a', {href: address(cell, place)},
    `step ${place.step + 1}`, place.tool ? [' (', visible(text(place.tool)), ')'] : '');

  const at = (place, step, call) => place && place.step === step && (call === undefined || place.call === call);

  // ---- Transcript -----------------------------------------------------------

  function verdict(v) {
    const [kind] = outcomes[v.decision] ?? ['odd'];
    return el('p', {class: 'verdict ' + kind}, el('b', {}, 'Guard ', visible(text(v.guard))), ' ',
      outcome(v.decision), v.score !== undefined ? el('span', {}, ` · score ${v.score}`) : '',
      v.reason !== undefined ? el('span', {}, ' · ', visible(text(v.reason))) : '',
      v.raw !== undefined ? el('span', {}, ' · raw answer: ', visible(text(v.raw))) : '',
      v.latency_ns ? el('span', {class: 'meta'}, ' · ' + time(v.latency_ns / 1e9)) : '');
  }

  function change(c) {
    const signs = {added: '+ added', removed: '− removed', changed: '~ changed'};
    const value = (head, field) => el('td', {'data-head': head}, field === undefined ? '' : visible(pretty(text(field))));
    return el('tr', {}, el('td', {class: c.op}, signs[c.op] ?? c.op), el('td', {}, visible(text(c.path) || '(whole state)')),
      value('old', c.old), value('new', c.new));
  }

  function effects(call, effect) {
    const parts = [];
    if (call.diff) {
      parts.push(el('p', {class: 'caption'}, `State: ${plural(call.diff.length, 'change')}`),
        el('table', {class: 'diff'}, el('thead', {}, el('tr', {},
          ['Change', 'Path', 'Old', 'New'].map((name) => el('th', {scope: 'col'}, name)))), el('tbody', {}, call.diff.map(change))));
    } else if (call.recorded && effect && effect !== 'read') {
      parts.push(el('p', {class: 'caption'}, 'State: no change'));
    }
    if (call.writes) {
      parts.push(el('details', {}, el('summary', {}, `Writes ${plural(call.writes.length, 'path')}`),
        el('pre', {class: 'code'}, visible(call.writes.map(text).join('\n')))));
    }
    return parts;
  }

  function renderCall(cell, call, step, number, tools) {
    const place = {step, call: number};
    const effect = tools.find((tool) => text(tool.name) === text(call.name))?.effect;
    const exposed = at(cell.exposure, step, number);
    const decisive = at(cell.decisive, step, number);
    return el('section', {class: 'call', id: `step-${step + 1}.${number + 1}`, tabindex: '-1', 'aria-label': `Call ${number + 1}: ${label(text(call.name))}`},
      el('header', {}, el('span', {class: 'name'}, visible(text(call.name))),
        effect ? el('span', {class: 'tag'}, effect) : el('span', {class: 'tag'}, tools.length ? 'not offered' : 'tool'),
        el('a', {class: 'meta', href: address(cell, place)}, `${step + 1}.${number + 1}`),
        call.id !== undefined ? el('span', {class: 'meta'}, visible(text(call.id))) : '',
        call.latency_ns ? el('span', {class: 'meta'}, time(call.latency_ns / 1e9)) : ''),
      call.arguments !== undefined ? el('pre', {class: 'code'}, visible(pretty(text(call.arguments)))) : '',
      call.raw !== undefined ? block('Arguments as the model wrote them', text(call.raw), null, 'code') : '',
      (call.verdicts ?? []).map(verdict),
      exposed ? el('p', {class: 'flag exposure'}, '⚑ Exposure: the attacker’s words first appeared here') : '',
      call.error ? el('p', {class: 'flag error'}, '! Error: ', visible([text(call.error.type), text(call.error.message)].filter(Boolean).join(': '))) : '',
      call.observed ? block('Observation', text(call.observation), call.injected, 'code')
        : el('p', {class: 'caption'}, 'No observation: the agent got no answer to this call'),
      effects(call, effect),
      decisive ? el('p', {class: 'flag decisive'}, '● Decisive step: the attacker’s goal first held here') : '');
  }

  function renderStep(cell, step, index, tools) {
    const note = step.origin !== undefined;
    const thought = text(step.thought);
    const finish = text(step.finish);
    return el('li', {class: `step ${step.role}${note ? ' note-step' : ''}`, id: `step-${index + 1}`, tabindex: '-1'},
      el('header', {}, el('h3', {}, el('a', {href: address(cell, {step: index})}, `${index + 1} · ${step.role}`)),
        note ? el('span', {class: 'tag'}, 'written by ', visible(text(step.origin))) : '',
        el('span', {class: 'meta'}, usage(step.usage, step.latency_ns)),
        finish && finish !== 'stop' && finish !== 'tool_calls' ? el('span', {class: 'meta'}, 'ended: ', visible(finish)) : ''),
      thought ? el('details', {class: 'thought'}, el('summary', {}, `Thought, ${plural(thought.length, 'character')}`),
        el('div', {class: 'text'}, visible(thought))) : '',
      step.text !== undefined ? block('', text(step.text), step.injected, 'text') : '',
      (step.calls ?? []).map((call, i) => renderCall(cell, call, index, i, tools)));
  }

  // outline is one line of links to the steps, with signs for what matters.
  function outline(cell) {
    return el('ol', {class: 'outline'}, cell.trace.steps.map((step, i) => {
      const signs = [];
      if (at(cell.exposure, i)) signs.push(['⚑', 'exposure']);
      if (at(cell.decisive, i)) signs.push(['●', 'decisive']);
      if (step.calls?.some((call) => call.verdicts?.some((v) => v.decision === 'block'))) signs.push(['⊘', 'blocked by a guard']);
      if (step.calls?.some((call) => call.error)) signs.push(['!', 'error']);
      const title = [step.role, ...(step.calls ?? []).map((call) => label(text(call.name))), ...signs.map(([, word]) => word)].join(', ');
      return el('li', {class: step.role}, el('a', {href: address(cell, {step: i}), title, 'aria-label': `Step ${i + 1}: ${title}`},
        [i + 1, ...signs.map(([sign]) => sign)].join(' ')));
    }));
  }

  function transcript(cell) {
    const trace = cell.trace;
    if (!trace) return el('p', {class: 'notice'}, 'The transcript of this cell is not in this file. The run’s traces have it.');
    const tools = data.tools[trace.tools] ?? [];
    const total = usage(trace.usage);
    return [
      tools.length ? el('details', {}, el('summary', {}, plural(tools.length, 'tool')), tools.map((tool) => el('div', {class: 'offer'},
        el('p', {}, el('b', {}, visible(text(tool.name))), ' ', tool.effect ? el('span', {class: 'tag'}, tool.effect) : ''),
        el('div', {class: 'text'}, visible(text(tool.description))),
        tool.parameters !== undefined ? el('details', {}, el('summary', {}, 'Schema'), el('pre', {class: 'code'}, visible(pretty(text(tool.parameters))))) : ''))) : '',
      el('nav', {'aria-label': 'Steps'}, outline(cell)),
      el('ol', {class: 'steps'}, trace.steps.map((step, i) => renderStep(cell, step, i, tools))),
      el('p', {class: 'quote'}, el('b', {}, 'End: '), visible(text(trace.cause) || 'not recorded'),
        trace.detail !== undefined ? [' – ', visible(text(trace.detail))] : '', total ? el('span', {class: 'meta'}, ' · ' + total) : ''),
    ];
  }

  function checks(title, list, injected) {
    if (!list.length) return '';
    const row = (check) => {
      const [held, missed] = injected ? ['success', 'resisted'] : ['pass', 'fail'];
      const word = check.error !== undefined ? outcome('unassessed', 'error')
        : outcome(check.holds ? held : missed, check.holds ? 'holds' : 'does not hold');
      return el('tr', {}, el('td', {}, word), el('td', {}, visible(text(check.item)),
        check.invariant ? [' ', el('span', {class: 'tag'}, 'must stay as it was')] : '',
        check.error !== undefined ? el('div', {class: 'cause'}, visible(text(check.error))) : ''));
    };
    const holding = list.filter((check) => check.holds).length;
    return [el('h3', {}, `${title}: ${holding} of ${list.length} hold`),
      el('table', {class: 'checks'}, el('thead', {}, el('tr', {}, el('th', {scope: 'col'}, 'Result'), el('th', {scope: 'col'}, 'Check'))),
        el('tbody', {}, list.map(row)))];
  }

  function story(cell) {
    const parts = [];
    if (cell.exposure) parts.push('The attacker’s words first appeared at ', placeLink(cell, cell.exposure), '. ');
    else if (cell.exposed) parts.push('The agent saw the attacker’s words. ');
    if (cell.decisive) parts.push('The attacker’s goal first held after ', placeLink(cell, cell.decisive), '.');
    return parts.length ? el('p', {class: cell.decisive ? 'story' : 'notice'}, parts) : '';
  }

  const quote = (title, field, kind) => field === undefined ? '' :
    [el('h2', {class: 'minor'}, title), el('div', {class: 'quote text ' + kind}, visible(text(field)))];

  function renderDetail(cell) {
    const list = cell.checks ?? [];
    const score = cell.score !== undefined ? ` (${(100 * cell.score).toFixed(0)} %)` : '';
    detail.className = 'detail';
    detail.replaceChildren(...[
      navigation(cell),
      el('h1', {tabindex: '-1'}, visible(text(cell.case) || cell.id)),
      el('p', {class: 'byline'}, el('span', {}, 'Agent ', el('b', {}, visible(text(cell.agent)))),
        cell.model !== undefined ? el('span', {}, 'Model ', el('b', {}, visible(text(cell.model)))) : '',
        el('span', {}, 'Strategy ', el('b', {}, visible(text(cell.strategy) || 'none')))),
      el('p', {class: 'verdicts'}, cell.benign !== undefined ? el('span', {}, 'Task ', outcome(text(cell.benign)), score) : '',
        cell.attack !== undefined ? el('span', {}, 'Attack ', outcome(text(cell.attack))) : ''),
      cell.cause !== undefined ? el('p', {class: 'notice'}, el('b', {}, 'Excluded: '), visible(text(cell.cause)), '. This cell is in no rate. ',
        cell.trace?.detail !== undefined ? visible(text(cell.trace.detail)) : '') : '',
      story(cell),
      quote('User task', cell.task, ''), quote('Attacker’s goal', cell.goal, 'hostile'), quote('Payload', cell.payload, 'hostile'),
      list.length ? [el('h2', {}, 'Checks'), el('div', {class: 'panel'}, checks('Task', list.filter((check) => !check.injected), false),
        checks('Attacker’s goal', list.filter((check) => check.injected), true))] : '',
      el('h2', {}, 'Run'),
      el('div', {class: 'panel'}, facts([
        ['Cell', cell.id], ['Scenario', text(cell.scenario)], ['World', text(cell.world)],
        ['Format', text(cell.format)], ['Defence', text(cell.defence)], ['Epoch', cell.epoch ? String(cell.epoch) : ''],
        ['Guard', text(cell.trace?.guard)], ['Provider', text(cell.trace?.provider)],
        ['Turns, calls', `${cell.turns}, ${cell.calls}`], ['Tokens', cell.tokens ? count(cell.tokens) : ''],
        ['Cost', cell.cost ? dollars(cell.cost) : ''], ['Time', cell.seconds ? time(cell.seconds) : ''], ['Ended', text(cell.ended)]])),
      el('h2', {}, 'Transcript'),
      transcript(cell),
    ].flat(Infinity).filter((node) => node !== ''));
  }

  function navigation(cell) {
    const position = shown.indexOf(cell);
    const link = (name, other) => other ? el('a', {href: address(other)}, name) : '';
    return el('nav', {class: 'bar-top', 'aria-label': 'Cells'}, el('a', {href: '#cells'}, '← All cells'),
      link('Previous', shown[position - 1]), link('Next', position < 0 ? undefined : shown[position + 1]),
      position < 0 ? '' : el('span', {class: 'where'}, `${count(position + 1)} of ${count(shown.length)} in the list`));
  }

  // ---- List of cells --------------------------------------------------------

  const pageSize = 1000; // rows in the document at once
  const body = document.getElementById('rows');
  const rows = new Map(data.cells.map((cell, i) => [cell, body.rows[i]]));
  const controls = document.getElementById('controls');
  const pager = document.getElementById('pager');
  const headers = [...document.querySelectorAll('th[data-key]')];
  const collator = new Intl.Collator('en', {numeric: true});
  const selects = ['agent', 'strategy', 'benign', 'attack', 'cause'];
  const absent = {attack: 'no attack', cause: 'not excluded'};
  let shown = data.cells; // after filters, in order
  let page = 0;
  let sort = {key: '', down: false};

  const values = {
    exposure: (cell) => cell.exposure ? cell.exposure.step : undefined,
    decisive: (cell) => cell.decisive ? cell.decisive.step : undefined,
    cause: (cell) => text(cell.cause) || text(cell.ended),
  };
  const numbers = ['calls', 'tokens', 'cost', 'seconds'];
  const value = (cell, key) => values[key] ? values[key](cell) : numbers.includes(key) ? cell[key] : text(cell[key]);

  const haystacks = new Map();
  function haystack(cell) {
    if (!haystacks.has(cell)) {
      haystacks.set(cell, [cell.id, ...['case', 'scenario', 'world', 'agent', 'model', 'strategy', 'format', 'defence', 'benign',
        'attack', 'cause', 'ended', 'task', 'goal', 'payload'].map((key) => text(cell[key])), text(cell.exposure?.tool),
      text(cell.decisive?.tool)].join('\n').toLowerCase());
    }
    return haystacks.get(cell);
  }

  function compare(a, b) {
    const [x, y] = [value(a, sort.key), value(b, sort.key)];
    const [noX, noY] = [x === undefined || x === '', y === undefined || y === ''];
    if (noX || noY) return noX - noY; // at the end in both directions
    const order = typeof x === 'number' ? x - y : collator.compare(x, y);
    return sort.down ? -order : order;
  }

  // refresh applies filters and sorting, and puts one page of rows in place.
  function refresh() {
    const words = controls.elements.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    const chosen = selects.map((key) => [key, controls.elements[key].value]).filter(([, choice]) => choice !== '')
      .map(([key, choice]) => [key, options[key][Number(choice)]]);
    shown = data.cells.filter((cell) => chosen.every(([key, choice]) => text(cell[key]) === choice) &&
      words.every((word) => haystack(cell).includes(word)));
    if (sort.key) shown.sort(compare);
    page = Math.min(page, Math.max(0, Math.ceil(shown.length / pageSize) - 1));
    body.replaceChildren(...shown.slice(page * pageSize, (page + 1) * pageSize).map((cell) => rows.get(cell)));
    document.getElementById('count').textContent =
      shown.length === data.cells.length ? plural(shown.length, 'cell') : `${count(shown.length)} of ${plural(data.cells.length, 'cell')}`;
    pager.hidden = shown.length <= pageSize;
    pager.querySelector('span').textContent = `Page ${page + 1} of ${Math.ceil(shown.length / pageSize)}`;
    pager.querySelector('[name=back]').disabled = page === 0;
    pager.querySelector('[name=on]').disabled = (page + 1) * pageSize >= shown.length;
    for (const header of headers) {
      header.setAttribute('aria-sort', header.dataset.key !== sort.key ? 'none' : sort.down ? 'descending' : 'ascending');
    }
    controls.elements.sort.value = sort.key && `${sort.key} ${sort.down ? 'down' : 'up'}`;
  }

  // options are the values that each select offers.
  const options = {};
  function fillSelects() {
    for (const key of selects) {
      options[key] = [...new Set(data.cells.map((cell) => text(cell[key])))].sort(collator.compare);
      controls.elements[key].append(el('option', {value: ''}, 'all'),
        ...options[key].map((choice, i) => el('option', {value: String(i)}, label(choice.replace(/^not_exposed$/, 'not exposed')) || absent[key] || 'none')));
    }
    controls.elements.sort.append(el('option', {value: ''}, 'as planned'), ...headers.flatMap((header) => ['up', 'down'].map((way) =>
      el('option', {value: `${header.dataset.key} ${way}`}, `${header.textContent} ${way === 'up' ? '↑' : '↓'}`))));
  }

  function startList() {
    fillSelects();
    for (const header of headers) {
      const key = header.dataset.key;
      header.replaceChildren(button(header.textContent, () => {
        sort = {key, down: sort.key === key && !sort.down};
        page = 0;
        refresh();
      }));
    }
    controls.addEventListener('input', () => {
      const [key, way] = controls.elements.sort.value.split(' ');
      sort = {key, down: way === 'down'};
      page = 0;
      refresh();
    });
    controls.addEventListener('submit', (event) => event.preventDefault());
    controls.addEventListener('reset', () => setTimeout(() => {
      sort = {key: '', down: false};
      page = 0;
      refresh();
    }));
    const turn = (by) => () => {
      page += by;
      refresh();
      document.getElementById('cells').scrollIntoView();
    };
    pager.querySelector('[name=back]').addEventListener('click', turn(-1));
    pager.querySelector('[name=on]').addEventListener('click', turn(1));
    controls.hidden = false;
    refresh();
  }

  // ---- Address --------------------------------------------------------------

  const byID = new Map(data.cells.map((cell) => [cell.id, cell]));
  let open = null; // the cell whose transcript is shown

  function target(step) {
    for (const old of detail.querySelectorAll('.target')) old.classList.remove('target');
    const node = step && document.getElementById('step-' + step);
    if (!node) return false;
    node.classList.add('target');
    node.focus({preventScroll: true});
    node.scrollIntoView();
    return true;
  }

  function showCell(cell, step) {
    if (cell !== open) renderDetail(cell);
    open = cell;
    overview.hidden = true;
    detail.hidden = false;
    document.title = `${label(text(cell.case) || cell.id)} · ${label(text(cell.agent))} – ${pageTitle}`;
    if (!target(step)) {
      window.scrollTo(0, 0);
      detail.querySelector('h1').focus({preventScroll: true});
    }
  }

  function showOverview() {
    const last = open;
    open = null;
    detail.hidden = true;
    detail.replaceChildren();
    overview.hidden = false;
    document.title = pageTitle;
    const link = last && rows.get(last).querySelector('a');
    if (!link) return;
    page = Math.max(0, Math.floor(shown.indexOf(last) / pageSize));
    refresh();
    link.scrollIntoView({block: 'center'});
    link.focus({preventScroll: true});
  }

  function route() {
    const query = new URLSearchParams(location.hash.slice(1));
    const cell = byID.get(query.get('cell'));
    if (cell) showCell(cell, query.get('step'));
    else showOverview();
    document.documentElement.dataset.view = cell ? 'cell' : 'overview';
  }

  startList();
  window.addEventListener('hashchange', route);
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && open) location.hash = '#cells';
  });
  route();
})();

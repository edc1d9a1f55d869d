"""Works on a server of the fake episode with the official client and prints what it
saw as JSON, a line each. Arguments: "stdio COMMAND" or "http URL", then the mode,
"legacy" (the handshake) or "auto" (the stateless era first)."""

import asyncio
import json
import sys

CALLS = [
    ("t01", {"z": "취미 汉字 😀", "n": [1.5, 123456789012345678901234567890], "<": "&"}),
    ("t02", {}),
    ("fail", {"k": 1}),
    ("no_such_tool", {"z": "q"}),
    ("say", {"text": "line\nbreak \u2028 \x00 \"quoted\""}),
    ("say", {"text": ""}),
    ("end", {}),
    ("t01", {}),
]


def out(kind, value):
    print(json.dumps([kind, value]), flush=True)


def snake_or_camel(obj, snake, camel):
    return getattr(obj, snake) if hasattr(obj, snake) else getattr(obj, camel)


async def work(client):
    listed = await client.list_tools()
    out("tools", [[t.name, t.description, snake_or_camel(t, "input_schema", "inputSchema").get("required")] for t in listed.tools])
    out("cursor", snake_or_camel(listed, "next_cursor", "nextCursor"))
    prompt = await client.get_prompt("task")
    out("prompt", [[m.role, m.content.type] for m in prompt.messages])
    for name, arguments in CALLS:
        result = await client.call_tool(name, arguments)
        out(name, [result.content[0].text, snake_or_camel(result, "is_error", "isError")])


async def main(transport, target, mode):
    try:
        from mcp import Client  # 2.x
    except ImportError:
        Client = None
    if transport == "stdio":
        from mcp import StdioServerParameters
        from mcp.client.stdio import stdio_client

        streams = stdio_client(StdioServerParameters(command=target, args=[], env={"GAUNTLET_TEST_MCP_CHILD": "1"}))
    else:
        streams = None
    if Client is not None:
        async with Client(streams or target, mode=mode) as client:
            out("version", client.protocol_version)
            await work(client)
        return
    from mcp import ClientSession  # 1.x, which knows only the handshake

    if streams is None:
        from mcp.client.streamable_http import streamablehttp_client

        streams = streamablehttp_client(target)
    async with streams as opened, ClientSession(opened[0], opened[1]) as session:
        out("version", (await session.initialize()).protocolVersion)
        await work(session)


asyncio.run(main(*sys.argv[1:4]))

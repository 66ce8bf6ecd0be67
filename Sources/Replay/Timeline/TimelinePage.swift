/// The page around the data: everything it needs stands in it.
enum TimelinePage {
  static func head(room: String) -> [UInt8] {
    var page = Array(top.utf8)
    page.append(contentsOf: #"<script type="application/json" id="data">["#.utf8)
    page.append(contentsOf: "\n".utf8)
    page.object("room") { $0.member("name", room) }
    return page
  }

  static var foot: [UInt8] {
    Array("</script>\n<script>\n'use strict';\n".utf8) + Array(model.utf8) + Array(drawing.utf8)
      + Array(interaction.utf8) + Array("</script>\n".utf8)
  }

  private static let top = #"""
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <meta http-equiv="Content-Security-Policy"
      content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
    <title>flyscreen: a room over time</title>
    <style>
    :root { color-scheme: dark; --back: #0e1116; --panel: #171c24; --line: #2a323d; --text: #e6e9ee; --dim: #98a2b0; }
    * { box-sizing: border-box }
    html, body { height: 100%; margin: 0 }
    body { display: flex; flex-direction: column; background: var(--back); color: var(--text);
      font: 13px/1.45 system-ui, "Noto Sans", "Noto Sans CJK SC", sans-serif }
    header { display: flex; gap: 6px 18px; align-items: center; padding: 9px 14px; white-space: nowrap;
      background: var(--panel); border-bottom: 1px solid var(--line) }
    #sums { flex: 0 1 auto; min-width: 0; overflow: hidden; text-overflow: ellipsis }
    #sums span + span { margin-left: 14px }
    h1 { font-size: 15px; margin: 0 } h1 small { font-weight: 400; color: var(--dim); margin-left: 8px }
    .bad { color: #ff8f86; font-weight: 600 }
    input, button { font: inherit; color: var(--text); background: var(--back); border: 1px solid #3b4553;
      border-radius: 5px; padding: 4px 9px }
    input { flex: 1 1 12em; min-width: 11em; max-width: 26em; margin-left: auto } button:hover { border-color: #7c8aa0 }
    #legend { display: flex; flex-wrap: wrap; gap: 3px 13px; padding: 6px 14px; white-space: nowrap; color: var(--dim); font-size: 12px;
      border-bottom: 1px solid var(--line) }
    #legend i { display: inline-block; width: 13px; height: 10px; margin-right: 4px; border-radius: 2px }
    main { flex: 1; display: flex; min-height: 0 }
    #stage { flex: 1; position: relative; min-width: 0; overflow-y: auto; overflow-x: hidden }
    canvas { display: block; width: 100%; cursor: crosshair }
    #found { width: 350px; overflow-y: auto; border-left: 1px solid var(--line); background: var(--panel) }
    #found:empty { display: none }
    #found b { display: block; padding: 7px 12px; color: var(--dim); font-weight: 400 }
    #found button { display: block; width: 100%; text-align: left; border: 0; border-top: 1px solid var(--line);
      border-radius: 0; background: none; padding: 6px 12px }
    #found button:hover { background: #212936 } #found small { display: block; color: var(--dim) }
    #found small.bad { color: #ff8f86 }
    #tip { position: fixed; pointer-events: none; max-width: 460px; padding: 8px 11px; background: #202836;
      border: 1px solid #4a566a; border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; display: none;
      box-shadow: 0 4px 18px #0009; font-variant-numeric: tabular-nums; z-index: 2 }
    @media (max-width: 800px) {
      header { flex-wrap: wrap; white-space: normal } main { flex-direction: column } #found { width: auto; max-height: 45%; border-left: 0; border-top: 1px solid var(--line) }
      input { width: 100%; flex: 1 1 14em } #legend { font-size: 11px; gap: 1px 12px }
    }
    </style>
    <header><h1 id="title"></h1><span id="sums"></span>
    <input id="search" type="search" placeholder="find a user, gift, event, id or time ( / )">
    <span><button id="all" title="0">all</button> <button id="in" title="+">+</button>
    <button id="out" title="−">−</button></span></header>
    <section id="legend" aria-label="colours and keys"></section>
    <main><div id="stage"><canvas id="canvas"></canvas></div><div id="found"></div></main><div id="tip"></div>

    """#
}

"""A report's sliders in headless Chromium: page_slider.py SFG MODEL... [--json]

Every slider of the page is moved some times, first with the sliders in the middle of the window, then with the first curve there: the
processor time of a frame (the event, all numbers, what is in sight of pictures and tables, layout). What is out of sight is drawn when
the sliders rest. A line a model: the greater of both means, ms."""
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "browser"))
from browser import Browser  # noqa: E402

# The frames that the page asks for are called by the measurement.
PRELUDE = "window.framesAskedFor = []; window.requestAnimationFrame = f => framesAskedFor.push(f);"
SLIDERS, CURVES = "input[type=range][data-parameter]", "path[data-curve]"
MOVE = """(place, moves) => {
  const at = document.querySelector(place), sliders = [...document.querySelectorAll('input[type=range][data-parameter]')];
  if (at) at.scrollIntoView({ block: 'center' });
  for (const slider of sliders) {
    const low = Number(slider.min), high = Number(slider.max);
    for (let k = 1; k <= moves; ++k) {
      slider.value = String(low + (high - low) * (0.2 + 0.6 * k / moves));
      slider.dispatchEvent(new Event('input', { bubbles: true }));
      for (const frame of framesAskedFor.splice(0)) frame(performance.now());
      document.documentElement.getBoundingClientRect();
    }
  }
  return sliders.length * moves;
}"""


def frame(page, place, moves):
    """Processor time of a frame, s; None without sliders."""
    def busy():
        return next(m["value"] for m in page.command("Performance.getMetrics")["metrics"] if m["name"] == "TaskDuration")

    page.call(MOVE, place, 1)
    before = busy()
    frames = page.call(MOVE, place, moves)
    return (busy() - before) / frames if frames else None


def measured(browser, sfg, model, moves=5):
    """Processor time of a frame with the sliders in sight, and with the first curve; nothing where the page has no sliders."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sfg, "report", model, "-o", pathlib.Path(folder, "r.html")], capture_output=True, check=True)
        page = browser.page(prelude=PRELUDE)
        page.open(pathlib.Path(folder, "r.html").as_uri(), wait=120)
        page.command("Performance.enable", timeDomain="threadTicks")
        return [time for time in (frame(page, place, moves) for place in (SLIDERS, CURVES)) if time is not None]


def main(sfg, models, as_json):
    found = {}
    with Browser() as browser:
        for model in models:
            times = measured(browser, sfg, model)
            found[pathlib.Path(model).name] = max(times) if times else None
            if not as_json and times:
                print(f"{pathlib.Path(model).name:32} {1e3 * max(times):6.1f} ms a frame", flush=True)
    if as_json:
        print(json.dumps(found))


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--json"]
    main(pathlib.Path(words[0]).resolve(), words[1:], "--json" in sys.argv)

"""A browser without a window, for the viewer's page: Debian's Chromium, driven by ChromeDriver.

WebGL is drawn by the processor (SwiftShader), so that a machine without a graphics card gives the same pictures."""
import json
import os
import pathlib
import shutil
import sys

SKIPPED = 77  # ctest: there is no browser on this machine

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
except ImportError:
    webdriver = None

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")


def require():
    """Ends the test as skipped where there is no browser."""
    if not (webdriver and CHROMIUM and DRIVER):
        print("skipped: needs chromium, chromium-driver and python3-selenium")
        sys.exit(SKIPPED)


class Browser:
    """One page at a time; console messages and requests are collected."""

    def __init__(self, width=1280, height=860, dark=False):
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for word in ("--headless=new", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
                     "--ignore-gpu-blocklist", "--hide-scrollbars", "--no-first-run",
                     "--disable-background-networking", "--disable-dev-shm-usage",
                     "--force-device-scale-factor=1", f"--window-size={width},{height}"):
            options.add_argument(word)
        if os.geteuid() == 0:
            options.add_argument("--no-sandbox")  # Chromium's own rule for root
        if dark:
            options.add_argument("--force-dark-mode")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service(DRIVER), options=options)
        self.driver.set_script_timeout(60)
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": width, "height": height, "deviceScaleFactor": 1,
                                     "mobile": False})

    def close(self):
        self.driver.quit()

    def open(self, path):
        self.driver.get(pathlib.Path(path).resolve().as_uri())
        self.wait_until_idle()

    def run(self, script, *words):
        """The value of a piece of JavaScript."""
        return self.driver.execute_script(f"return {script}", *words)

    def wait_until_idle(self):
        """Waits until two frames have been drawn."""
        self.driver.execute_async_script(
            "const done = arguments[0];"
            "requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 30)));")

    def seek(self, time):
        self.run("percuss.seek(arguments[0])", time)
        self.wait_until_idle()

    def screenshot(self, path=None):
        """The page as PNG."""
        data = self.driver.get_screenshot_as_png()
        if path:
            pathlib.Path(path).write_bytes(data)
        return data

    def messages(self):
        """Warnings and errors of the console since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser")
                if entry["level"] in ("SEVERE", "WARNING") and "GPU stall due to ReadPixels" not in entry["message"]]

    def requests(self):
        """Addresses that were asked for since the last call, but for data in the page."""
        found = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                found.append(message["params"]["request"]["url"])
        return [url for url in found if not url.startswith(("data:", "blob:"))]

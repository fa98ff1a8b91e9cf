package dev.fakegpu.testing;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Gives a test class the installed browser, which is a {@link Prerequisite}: Chromium or Chrome. Nothing is downloaded. */
public final class BrowserExtension implements BeforeAllCallback, AfterAllCallback {

    private static final List<String> PROGRAMS = List.of("chromium", "chromium-browser", "google-chrome", "chrome");

    private static final String NONE = "no browser on the PATH: none of " + String.join(", ", PROGRAMS);

    private @Nullable Playwright playwright;
    private @Nullable Browser browser;

    @Override
    public void beforeAll(ExtensionContext context) {
        Prerequisite.require(program().isPresent(), NONE);
        start();
    }

    /** Starts the browser, for programs that are not tests. */
    public void start() {
        Path program = program().orElseThrow(() -> new IllegalStateException(NONE));
        playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        browser = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(program)
                        .setTimeout(Patience.LIMIT.toMillis())
                        .setArgs(List.of("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")));
    }

    private static Optional<Path> program() {
        return Stream.of(Optional.ofNullable(System.getenv("PATH")).orElse("").split(":"))
                .flatMap(folder -> PROGRAMS.stream().map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Opens a page in its own context, which is closed with the page. The page uses long timeouts. */
    public Page page(Browser.NewContextOptions options) {
        if (browser == null) {
            throw new IllegalStateException("there is no browser before the test class begins");
        }
        BrowserContext context = browser.newContext(options);
        context.setDefaultTimeout(Patience.LIMIT.toMillis());
        context.setDefaultNavigationTimeout(Patience.LIMIT.toMillis());
        return context.newPage();
    }

    /** The violations that axe-core finds in the current page, one text for each element. */
    @SuppressWarnings("unchecked") // the type that Playwright converts JSON to
    public static List<String> violations(Page page) {
        page.evaluate(axe());
        return (List<String>) page.evaluate("async () => (await axe.run()).violations.flatMap(each => each.nodes.map("
                + "node => `${each.id}: ${node.html} ${node.failureSummary}`))");
    }

    private static String axe() {
        try (InputStream script = BrowserExtension.class.getResourceAsStream("/axe.min.js")) {
            if (script == null) {
                throw new IllegalStateException("axe.min.js is not on the class path");
            }
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (playwright != null) {
            playwright.close(); // also closes the browser
        }
    }
}

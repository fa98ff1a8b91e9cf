package dev.fakegpu.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fakegpu.cli.input.InvalidInputException;
import dev.fakegpu.dra.mixin.MixinsGate;
import dev.fakegpu.engine.cel.Selectors;
import dev.fakegpu.engine.problemfile.AllocationProblem;
import dev.fakegpu.engine.problemfile.ProblemAnswer;
import dev.fakegpu.engine.problemfile.ProblemStream;
import dev.fakegpu.engine.problemfile.Solver;
import dev.fakegpu.engine.problemfile.UnreadableProblemException;
import dev.fakegpu.util.Ticker;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code fakegpu allocate}: runs the allocator on problems given as JSON. */
@Command(
        name = "allocate",
        mixinStandardHelpOptions = true,
        description = {
            "Run the allocator on allocation problems: JSON objects in, one line of JSON out for each.",
            "A problem contains a node, ResourceSlices, DeviceClasses, ResourceClaims, existing allocations and the feature gates that"
                    + " are on. Each answer is written as soon as its problem has been read.",
            "Needs no cluster."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  fakegpu allocate --explain src/test/resources/allocator-corpus/groups.jsonl"})
final class AllocateCommand implements Callable<Integer> {

    private static final Duration BENCH_BUDGET = Duration.ofSeconds(10);

    private final ObjectMapper json = new ObjectMapper();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "Files with problems (default: standard input).")
    private List<Path> files = List.of();

    @Option(
            names = "--bench",
            paramLabel = "N",
            defaultValue = "1",
            description = "Run each problem once, then N more times or for 10 seconds, and report the median time.")
    private int bench;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            defaultValue = "20s",
            converter = DurationConverter.class,
            description = "Stop an allocation after this time, such as 500ms, 20s or 1m (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // it has a default
    private Duration timeout;

    @Option(names = "--all-features", description = "Turn on all feature gates, not only those that a problem names.")
    private boolean allFeatures;

    @Option(names = "--explain", description = "Explain each answer without an allocation.")
    private boolean explain;

    /** Converts durations in the format of Go programs such as {@code kubectl}, but with only one unit. */
    static final class DurationConverter implements ITypeConverter<Duration> {

        private static final Pattern SYNTAX = Pattern.compile("(\\d{1,9})(ms|s|m)");

        @Override
        public Duration convert(String text) {
            Matcher syntax = SYNTAX.matcher(text);
            if (!syntax.matches()) {
                throw new TypeConversionException("\"" + text + "\" is not a duration such as 500ms, 20s or 1m");
            }
            long number = Long.parseLong(syntax.group(1));
            return switch (syntax.group(2)) {
                case "ms" -> Duration.ofMillis(number);
                case "s" -> Duration.ofSeconds(number);
                default -> Duration.ofMinutes(number);
            };
        }
    }

    @Override
    public Integer call() throws IOException {
        var settings = new Solver.Settings(allFeatures, bench, BENCH_BUDGET, timeout, explain);
        var solver = new Solver(Selectors.shared(), settings, Ticker.SYSTEM::nanos);
        if (files.isEmpty()) {
            answerAll(solver, new InputStreamReader(System.in, StandardCharsets.UTF_8));
        }
        for (Path file : files) {
            try (Reader reader = Files.newBufferedReader(file)) {
                answerAll(solver, reader);
            } catch (IOException e) {
                throw InvalidInputException.unreadable(file, e);
            }
        }
        return CommandLine.ExitCode.OK;
    }

    private void answerAll(Solver solver, Reader input) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        var problems = new ProblemStream(input, allFeatures ? MixinsGate.ON : MixinsGate.OFF);
        ProblemAnswer answer;
        while (!out.checkError() && (answer = answerNext(solver, problems)) != null) {
            print(out, answer);
        }
    }

    private void print(PrintWriter out, ProblemAnswer answer) throws JsonProcessingException {
        out.print(json.writeValueAsString(answer) + "\n");
        out.flush();
    }

    private static @Nullable ProblemAnswer answerNext(Solver solver, ProblemStream problems) throws IOException {
        try {
            Optional<AllocationProblem> problem = problems.next();
            return problem.map(solver::solve).orElse(null);
        } catch (UnreadableProblemException e) {
            return Solver.invalid(e.problem(), String.valueOf(e.getMessage()));
        }
    }
}

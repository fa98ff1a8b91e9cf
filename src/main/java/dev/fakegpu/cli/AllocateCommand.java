package dev.fakegpu.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fakegpu.cel.Selectors;
import dev.fakegpu.problemfile.AllocationProblem;
import dev.fakegpu.problemfile.ProblemAnswer;
import dev.fakegpu.problemfile.ProblemStream;
import dev.fakegpu.problemfile.Solver;
import dev.fakegpu.problemfile.UnreadableProblemException;
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

/** {@code fakegpu allocate}: answers allocation problems, without a cluster. */
@Command(
        name = "allocate",
        mixinStandardHelpOptions = true,
        description = {
            "Answer allocation problems, given as JSON one after the other, with a line of JSON each.",
            "An answer is written as soon as its problem has been read. A problem has a node, ResourceSlices, DeviceClasses,"
                    + " ResourceClaims, what is allocated already and the features that are on."
        })
final class AllocateCommand implements Callable<Integer> {

    private static final Duration BENCH_BUDGET = Duration.ofSeconds(10);

    private final ObjectMapper json = new ObjectMapper();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "Files with problems; standard input if there are none.")
    private List<Path> files = List.of();

    @Option(
            names = "--bench",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "Repeat each problem N times after a first run, for at most 10 seconds, and give the median time.")
    private int bench;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            defaultValue = "20s",
            converter = DurationConverter.class,
            description = "End an allocation after this long, such as 500ms, 20s or 1m (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // it has a default
    private Duration timeout;

    @Option(names = "--all-features", description = "Turn every feature on, not only those that a problem names.")
    private boolean allFeatures;

    @Option(names = "--explain", description = "Say why, where nothing is allocated.")
    private boolean explain;

    /** Durations as {@code kubectl} and other programs in Go take them, with one unit. */
    static final class DurationConverter implements ITypeConverter<Duration> {

        private static final Pattern SYNTAX = Pattern.compile("(\\d{1,9})(ms|s|m)");

        @Override
        public Duration convert(String text) {
            Matcher syntax = SYNTAX.matcher(text);
            if (!syntax.matches()) {
                throw new TypeConversionException("\"" + text + "\" is no duration such as 500ms, 20s or 1m");
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
        var solver = new Solver(new Selectors(), settings, System::nanoTime);
        if (files.isEmpty()) {
            answerAll(solver, new InputStreamReader(System.in, StandardCharsets.UTF_8));
        }
        for (Path file : files) {
            if (!Files.isReadable(file)) {
                spec.commandLine().getErr().println("fakegpu: cannot read " + file);
                return CommandLine.ExitCode.SOFTWARE;
            }
            try (Reader reader = Files.newBufferedReader(file)) {
                answerAll(solver, reader);
            }
        }
        return CommandLine.ExitCode.OK;
    }

    private void answerAll(Solver solver, Reader input) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        var problems = new ProblemStream(input);
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

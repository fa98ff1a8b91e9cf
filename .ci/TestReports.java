import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Reads the reports of Maven's test plugins: {@code java TestReports.java failed|skipped DIRECTORY…}
 *
 * <ul>
 *   <li>{@code failed} prints a line for each class with a failure: the directory, the class, and the first failure, separated by tabs
 *   <li>{@code skipped} prints a line for each skipped test, sorted: the class and the method, or only the class if all of it was skipped
 * </ul>
 */
class TestReports {

    public static void main(String[] arguments) throws Exception {
        List<Element> suites = suites(Arrays.stream(arguments).skip(1).map(Path::of).toList());
        switch (arguments[0]) {
            case "failed" -> suites.forEach(TestReports::printFailed);
            case "skipped" -> printSkipped(suites);
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    private static List<Element> suites(List<Path> directories) throws Exception {
        var suites = new ArrayList<Element>();
        for (Path directory : directories) {
            for (Path report : reports(directory)) {
                var suite = DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(report.toFile())
                        .getDocumentElement();
                suite.setAttribute("directory", directory.toString());
                suites.add(suite);
            }
        }
        return suites;
    }

    private static List<Path> reports(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml"))
                    .sorted()
                    .toList();
        }
    }

    private static void printFailed(Element suite) {
        for (String kind : List.of("failure", "error")) {
            NodeList found = suite.getElementsByTagName(kind);
            if (found.getLength() > 0) {
                var test = (Element) found.item(0).getParentNode();
                String message = message(found.item(0).getTextContent());
                System.out.println(String.join(
                        "\t",
                        suite.getAttribute("directory"),
                        suite.getAttribute("name"),
                        test.getAttribute("name") + ": " + message));
                return;
            }
        }
    }

    /** What precedes the stack trace, in one line. Of a long message, only both ends are kept. */
    private static String message(String failure) {
        String message = failure.lines()
                .takeWhile(line -> !line.startsWith("\tat "))
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .collect(Collectors.joining(" "));
        int end = 500;
        return message.length() <= 2 * end
                ? message
                : message.substring(0, end) + " … " + message.substring(message.length() - end);
    }

    private static void printSkipped(List<Element> suites) {
        var tests = new TreeSet<String>();
        Consumer<Element> add = test -> {
            String method = test.getAttribute("name").replaceFirst("[({\\[].*", "");
            tests.add(test.getAttribute("classname") + (method.isEmpty() ? "" : "#" + method));
        };
        for (Element suite : suites) {
            if (suite.getAttribute("tests").equals("0")) { // skipped before its first test
                tests.add(suite.getAttribute("name"));
            }
            NodeList found = suite.getElementsByTagName("skipped");
            for (int i = 0; i < found.getLength(); i++) {
                add.accept((Element) found.item(i).getParentNode());
            }
        }
        tests.forEach(System.out::println);
    }
}

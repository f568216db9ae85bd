import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.regex.*;

/** Writes what Java answers: java Answers.java questions.txt > answers.txt. A line is a pattern and texts, all in hexadecimal UTF-16. */
class Answers {
  static String read(String hex) {
    StringBuilder text = new StringBuilder();
    for (int at = 0; at < hex.length(); at += 4) text.append((char) Integer.parseInt(hex.substring(at, at + 4), 16));
    return text.toString();
  }

  public static void main(String[] arguments) throws Exception {
    for (String line : Files.readAllLines(Path.of(arguments[0]))) {
      String[] parts = line.split(" ", -1);
      StringBuilder answers = new StringBuilder();
      try {
        Pattern pattern = Pattern.compile(read(parts[0]));
        for (int at = 1; at < parts.length; at++) answers.append(pattern.matcher(read(parts[at])).matches() ? '1' : '0');
      } catch (RuntimeException problem) {
        answers.setLength(0);
        answers.append("refused");
      }
      System.out.println(answers);
    }
  }
}
